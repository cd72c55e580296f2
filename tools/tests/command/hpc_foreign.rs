//! The real hpc, where it is installed, reads what we write and says the same of it. Without it the test has nothing
//! to compare and says so.

use super::common::Scratch;
use super::hpc_support::{copy_tree, hpc, text};
use std::path::Path;
use std::process::Command;

#[test]
fn the_real_hpc_reads_what_we_write() {
    if Command::new("hpc").arg("version").output().is_err() {
        println!("no hpc here: nothing compared");
        return;
    }
    let scratch = Scratch::new("foreign");
    copy_tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hpc"), scratch.path());
    let made: [(&str, &[&str]); 6] = [
        ("recip", &["sum", "Recip.tix", "eight.tix", "one.tix"]),
        ("recip", &["combine", "--function=DIFF", "Recip.tix", "eight.tix"]),
        ("recip", &["overlay", "recip-position.ov", "good-global.ov"]),
        ("two", &["sum", "--union", "onlymain.tix", "Two.tix"]),
        ("cover", &["map", "--function=INV", "Cover.tix"]),
        ("pkg", &["map", "--function=INV", "Use.tix"]),
    ];
    for (folder, command) in made {
        let folder = scratch.path().join(folder);
        assert!(hpc(&folder, &[command, &["--output=made.tix"]].concat()).status.success(), "{command:?}");
        assert!(hpc(&folder, &["draft", "made.tix", "--output=made.ov"]).status.success(), "{command:?}");
        let reports: [&[&str]; 4] = [
            &["report", "made", "--decl-list"],
            &["report", "made", "--per-module", "--xml-output"],
            &["show", "made"],
            &["draft", "made"],
        ];
        for report in reports {
            // It writes names as its locale allows; ours are UTF-8 everywhere.
            let mut real = Command::new("hpc");
            real.args(report).current_dir(&folder).env("LC_ALL", "C.UTF-8");
            let theirs = real.output().expect("hpc runs");
            let ours = hpc(&folder, report);
            assert_eq!(text(&ours.stdout), text(&theirs.stdout), "{command:?} {report:?}");
            assert!(theirs.status.success() && ours.status.success());
        }
    }
}
