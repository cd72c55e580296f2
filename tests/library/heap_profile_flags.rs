//! The flags of heap profiles that the fixtures record of the Glasgow runtime: which it took, and which ours takes. Where the
//! two differ it is meant, and docs/profiling.md says so.

use barrow::base::flag::Flags;

/// Flags of the recorded runs, and whether the old runtime took them.
const ROWS: [(&str, bool); 42] = [
    ("-hc -L0 -i0.02", false),
    ("-hr -R0 -i0.02", true),
    ("-hb -hrwords -i0.02", false),
    ("-hc -hbnosuch -i0.02", true),
    ("-hx -i0.02", false),
    ("-hc -hd -i0.02", false),
    ("-hc -i0.004", true),
    ("-hc -L50 -i0.004", true),
    ("-hd -i0.008", true),
    ("-h -i0.005", true),
    ("-hT -xt -i0.02", true),
    ("-hT -i0.005", true),
    ("-hb -hcwords -i0.02", true),
    ("-hb -hyTree -i0.02", true),
    ("-hb -i0.01", true),
    ("-hc -L10 -i0.02", true),
    ("-hc", true),
    ("-hc -hCtree -i0.02", true),
    ("-hc -hbdrag,void -i0.02", true),
    ("-hc -hcmkWords,insertT -i0.02", true),
    ("-hc -hdBranch,Leaf -i0.02", true),
    ("-hc -hyMap -i0.02", true),
    ("-hc -xt -i0.02", true),
    ("-hd -hbuse -i0.02", true),
    ("-hd -hrmain -i0.02", true),
    ("-hd -xt -i0.02", true),
    ("-hd -i0.005", true),
    ("-hm -hblag,use,drag,void -i0.02", true),
    ("-hm -i0.005", true),
    ("-hr -L12 -i0.02", true),
    ("-hr -R1 -i0.02", true),
    ("-hr -R2 -L80 -i0.02", true),
    ("-hr -hCtree -i0.02", true),
    ("-hr -hcnosuchcentre -i0.02", true),
    ("-hr -hdBranch,Leaf -i0.02", true),
    ("-hy -hblag -i0.02", true),
    ("-hy -hmMain -i0.02", true),
    ("-hy -hrwords,counts -i0.02", true),
    ("-hc -hmMain -hCmain -hyTree,Int -i0.02", true),
    ("-hc -L300 -i0.002", true),
    ("-hc -hmShapes.Store,Shapes.Area -i0.001", true),
    ("-hm -i0.001", true),
];

/// Rows where ours says the other thing, each with its reason on the page.
const MEANT: [(&str, bool); 3] =
    [("-hb -hrwords -i0.02", true), ("-hc -hd -i0.02", true), ("-hc -hbnosuch -i0.02", false)];

#[test]
fn flags_are_those_of_the_fixtures_but_for_what_is_meant() {
    for (line, theirs) in ROWS {
        let meant = MEANT.iter().find(|(known, _)| *known == line).map(|&(_, ours)| ours);
        let ours = Flags::parse(line).is_ok();
        assert_eq!(ours, meant.unwrap_or(theirs), "{line}");
    }
    let page = include_str!("../../docs/profiling.md");
    for (line, _) in MEANT {
        let flags = line.rsplit_once(' ').map_or(line, |(flags, _)| flags);
        assert!(page.contains(&format!("`{flags}`")), "docs/profiling.md should name {flags}");
    }
}
