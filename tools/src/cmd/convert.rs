//! `barrow convert`: a profile in the format that some other program reads.

mod samples;

use super::hpc::{Settings, export};
use super::snapshot;
use crate::draw::{area, flame, top::Top};
use crate::joined;
use crate::model::HeapProfile;
use crate::moment::{Moment, Values, Window, values_at};
use crate::out::{self, tell};
use crate::prof::{Measure, ProfFile, Report};
use crate::read::any::Input;
use crate::read::any::{self, Profile};
use crate::read::kind::Kind;
use crate::read::source::Source;
use crate::sort;
use crate::write::stacks::{Stack, Stacks, spelled};
use crate::write::{collapsed, csv, hp, json, massif, png, pprof, speedscope, svg, trace};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes a profile in a format that other programs read
///
/// Takes heap profiles (.hp), time and allocation reports (.prof) and their JSON form, from a file or, with `-`, from a
/// pipe. A heap profile that ends within a sample is taken as far as it is whole. A biography journal, which a program
/// leaves when it is killed during a biographical profile, is finished as if everything had died then.
///
/// A snapshot of the object graph, which a program writes with `barrow_snapshot`, becomes a heap snapshot for the memory
/// panel of Chrome's developer tools.
///
/// Takes profiles of samples (pprof) too: those that `--samples` leaves, and those of other programs.
///
/// Takes time lines (.stops) for the format trace: a track for each thread, and one for collections.
///
/// Takes coverage (.tix) too, for the formats lcov and cobertura; the .mix files are looked up as `barrow hpc` does.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow convert leak.hp --to speedscope -o leak.speedscope.json
  barrow convert leak.hp --to pprof --at end -o leak.pb.gz && go tool pprof -top leak.pb.gz
  barrow convert leak.hp --prof leak.prof --to collapsed
  barrow convert leak.prof --to collapsed --measure alloc | flamegraph.pl > leak.svg
  barrow convert leak.hp --to massif -o massif.out && ms_print massif.out
  ssh host cat leak.hp | barrow convert - --to hp -o whole.hp
  barrow convert leak.biography --to hp -o leak.hp
  barrow convert leak.hp --to png --top 12 -o leak.png
  barrow convert leak.hp --to hp --window 10..20 -o part.hp
  barrow convert prog.snapshot --to heapsnapshot -o prog.heapsnapshot
  barrow convert prog.pprof --to collapsed --value alloc_space
  barrow convert prog.stops --to trace -o prog.trace.json
  barrow convert prog.tix --to lcov -o cov.info && genhtml cov.info

Exit status: 0 done, 1 the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct Convert {
    /// The profile; `-` for standard input
    file: PathBuf,
    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Heap profiles to collapsed, pprof or speedscope: the sample, as `peak`, `end` or a time [default: peak;
    /// speedscope: every sample]
    #[arg(long, value_name = "MOMENT")]
    at: Option<Moment>,
    /// Heap profiles: only the samples of this stretch of time, such as 1.5..3; one end may be left out
    #[arg(long, value_name = "FROM..TO")]
    window: Option<Window>,
    /// Reports to collapsed, massif, trace, svg or png: the weight [default: time if any was recorded, else alloc;
    /// massif: alloc]
    #[arg(long)]
    measure: Option<Measure>,
    /// Samples to collapsed, massif, trace, svg or png: the value, such as alloc_space [default: the file's own]
    #[arg(long, value_name = "NAME")]
    value: Option<String>,
    /// Heap profiles by cost-centre stack to collapsed, pprof, speedscope or massif: the report of the same run, which has
    /// the stacks whole
    #[arg(long, value_name = "REPORT")]
    prof: Option<PathBuf>,
    /// Heap profiles to svg, png or trace: how many bands keep their names, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = super::rows, allow_negative_numbers = true)]
    top: Option<usize>,
    /// Biography journals: which of its profiles, by the name of its file or the letters before `.hp` [default: the
    /// first]; eventlogs: heap or time [default: heap, where it was sampled]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Coverage: where the sources are, and below it the .mix files; may be given several times [default: .]
    #[arg(long, value_name = "DIR")]
    srcdir: Vec<String>,
    /// Coverage: where the .mix files are, besides .hpc; may be given several times
    #[arg(long, value_name = "DIR")]
    hpcdir: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Stacks on one line each, for flame graph tools
    Collapsed,
    /// Gzipped profile.proto, for go tool pprof and Pyroscope
    Pprof,
    /// speedscope's JSON, for speedscope.app
    Speedscope,
    /// Trace events, for Perfetto and chrome://tracing
    Trace,
    /// For ms_print and massif-visualizer
    Massif,
    /// A row for each value
    Csv,
    /// Everything, plainly named
    Json,
    /// A picture that scales
    Svg,
    /// A picture of dots
    Png,
    /// A whole heap profile from one cut short
    Hp,
    /// A snapshot of the object graph, for Chrome's developer tools and memlab
    Heapsnapshot,
    /// Coverage by line, function and branch, for genhtml and coverage services
    Lcov,
    /// The same as XML, for coverage services
    Cobertura,
}

/// A page of more profiles than this is no list any more.
const MOST_SAMPLES: usize = 200;
/// Calls of stacks in all of them, of some twelve bytes each.
const MOST_CALLS: usize = 1 << 26;

pub fn run(command: &Convert) -> ExitCode {
    out::ended("barrow convert", convert(command))
}

fn convert(command: &Convert) -> Result<(), String> {
    let stdout = PathBuf::from("-");
    let output = command.output.as_ref().unwrap_or(&stdout);
    if command.to != Format::Hp {
        out::not_over(output, command.prof.iter().chain([&command.file]))?;
    }
    let binary = matches!(command.to, Format::Pprof | Format::Png);
    if binary && output.as_os_str() == "-" {
        out::not_to_a_terminal()?;
    }
    let export = match command.to {
        Format::Lcov => Some(export::Format::Lcov),
        Format::Cobertura => Some(export::Format::Cobertura),
        _ => None,
    };
    if let Some(format) = export {
        let text = coverage(command, format)?;
        return out::write_to(output, |out| out.write_all(text.as_bytes()));
    }
    if !command.srcdir.is_empty() || !command.hpcdir.is_empty() {
        return Err("--srcdir and --hpcdir have a meaning for coverage only".into());
    }
    if command.to == Format::Heapsnapshot {
        if command.at.is_some()
            || command.measure.is_some()
            || command.top.is_some()
            || command.profile.is_some()
            || command.prof.is_some()
            || command.window.is_some()
            || command.value.is_some()
        {
            return Err(
                "--at, --measure, --value, --top, --prof, --profile and --window have no meaning for a snapshot"
                    .into(),
            );
        }
        return snapshot::convert(&command.file, output);
    }
    let input =
        any::open_part(&command.file, command.profile.as_deref()).map_err(|error| error.to_string())?;
    input.notes.iter().for_each(|note| tell!("barrow convert: {}: {note}", input.name));
    fitting_options(command, &input)?;
    match &input.profile {
        Profile::Heap(heap) => {
            if let Some(cut) = heap.cut {
                out::tell_of_cut("barrow convert", &input.name, cut.line);
            }
            let part = command.window.map(|window| window.of(heap)).transpose();
            let part = part.map_err(|error| format!("{} {error}", input.name))?;
            let heap = part.as_ref().unwrap_or(heap);
            let report = command.prof.as_deref().map(report_of).transpose()?;
            let told = |error| format!("{}: {error}", input.name);
            let joined = joined::join(heap, report.as_ref()).map_err(told)?;
            if let Some(prof) = command.prof.as_ref().filter(|_| joined.known == 0) {
                let told = format!("{} has none of the stacks of {}", prof.display(), input.name);
                return Err(told);
            }
            let write = heap_writer(command, &input.name, heap, &joined.stacks)?;
            out::write_to(output, write)
        }
        Profile::Snapshot(_) => Err(format!("{}: {}", input.name, Kind::Snapshot.told())),
        Profile::Stops(timeline) if command.to == Format::Trace => {
            out::write_to(output, |out| trace::write_stops(timeline, out))
        }
        Profile::Stops(_) => Err(format!("{}: {}", input.name, Kind::Stops.told())),
        Profile::Space(_) => Err(format!(
            "{}: holds space by function, which no other format has: `barrow view` shows it",
            input.name
        )),
        Profile::Samples(sampled) => out::write_to(output, samples::writer(command, &input.name, sampled)?),
        Profile::Prof(prof) => {
            prof.warnings.iter().for_each(|warning| tell!("barrow convert: {warning}"));
            let write = prof_writer(command, &input.name, prof)?;
            let rounded = prof.report.as_ref().and_then(Report::rounded);
            // Entries are counted.
            if let Some(rounded) = rounded.filter(|_| command.measure != Some(Measure::Entries)) {
                tell!("barrow convert: {} {rounded}: weights are worked out from them", input.name);
            }
            out::write_to(output, write)
        }
    }
}

fn report_of(path: &std::path::Path) -> Result<Report, String> {
    let input = any::open(path).map_err(|error| error.to_string())?;
    match input.profile {
        Profile::Prof(ProfFile { report: Some(report), .. }) => Ok(report),
        _ => Err(format!("{}: is no time and allocation report", input.name)),
    }
}

fn coverage(command: &Convert, format: export::Format) -> Result<String, String> {
    if command.at.is_some()
        || command.measure.is_some()
        || command.top.is_some()
        || command.profile.is_some()
        || command.prof.is_some()
        || command.window.is_some()
        || command.value.is_some()
    {
        return Err(
            "--at, --measure, --value, --top, --prof, --profile and --window have no meaning for coverage"
                .into(),
        );
    }
    let name = command.file.to_str().ok_or("the name of the .tix file is not valid UTF-8")?;
    if name == "-" {
        return Err("coverage needs a file: its .mix files are looked up beside the sources".into());
    }
    // `barrow hpc` would look for FILE.tix.
    let kind = Source::open(&command.file).ok().and_then(|source| source.kind);
    if let Some(other) = kind.filter(|&kind| kind != Kind::Tix) {
        return Err(format!("{name}: {}", other.told()));
    }
    let mut settings = Settings::default();
    settings.places.source_dirs.clone_from(&command.srcdir);
    settings.places.mix_dirs.clone_from(&command.hpcdir);
    export::text(&settings, name, &[], format).map_err(|failure| failure.words())
}

/// An option that would change nothing is a misunderstanding, and better said than kept quiet about.
fn fitting_options(command: &Convert, input: &Input) -> Result<(), String> {
    use Format::*;
    let heap = matches!(input.profile, Profile::Heap(_));
    let samples = matches!(input.profile, Profile::Samples(_));
    let stops = matches!(input.profile, Profile::Stops(_));
    let to = command.to;
    let name = to.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let fits = |given: bool, option: &str, fits: bool| {
        let what = match () {
            () if heap => "a heap profile",
            () if samples => "samples",
            () if stops => "a time line",
            () => "a report",
        };
        if given && !fits { Err(format!("{option} has no meaning for {what} as {name}")) } else { Ok(()) }
    };
    fits(command.window.is_some(), "--window", heap)?;
    fits(command.at.is_some(), "--at", heap && matches!(to, Collapsed | Pprof | Speedscope))?;
    fits(command.prof.is_some(), "--prof", heap && matches!(to, Collapsed | Pprof | Speedscope | Massif))?;
    fits(
        command.measure.is_some(),
        "--measure",
        !heap && !samples && !stops && matches!(to, Collapsed | Massif | Trace | Svg | Png),
    )?;
    fits(command.value.is_some(), "--value", samples)?;
    fits(command.top.is_some(), "--top", heap && matches!(to, Svg | Png | Trace))
}

type Writing<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

fn heap_writer<'a>(
    command: &Convert,
    name: &'a str,
    heap: &'a HeapProfile,
    stacks: &'a [Stack],
) -> Result<Writing<'a>, String> {
    let top = Top(match command.top {
        Some(0) => None,
        top => Some(top.unwrap_or(20)),
    });
    let sample = |moment: Moment| {
        moment.sample(heap).ok_or_else(|| {
            let span = heap.times.first().zip(heap.times.last());
            let span =
                span.map_or(String::new(), |(first, last)| format!(": they go from {first} to {last}"));
            format!("{name}: there is no sample at that time{span}")
        })
    };
    let one = || -> Result<Stacks, String> {
        let sample = sample(command.at.unwrap_or(Moment::Peak))?;
        Ok(Stacks::of_sample(heap, stacks, sample, values_at(heap, sample)))
    };
    Ok(match command.to {
        Format::Collapsed => {
            let stacks = one()?;
            Box::new(move |out| collapsed::write(&stacks, out))
        }
        Format::Pprof => {
            let stacks = one()?;
            Box::new(move |out| pprof::write(&stacks, out))
        }
        Format::Speedscope => {
            let told = |error| format!("{name}: {error}");
            let (all, active) =
                if command.at.is_some() { (vec![one()?], 0) } else { moments(heap, stacks).map_err(told)? };
            Box::new(move |out| speedscope::write(name, &all, active, out))
        }
        Format::Trace => Box::new(move |out| trace::write_heap(heap, &top, out)),
        Format::Massif => Box::new(|out| massif::write_heap(heap, stacks, out)),
        Format::Csv => Box::new(|out| csv::write_heap(heap, out)),
        Format::Json => Box::new(|out| json::write_heap(heap, out)),
        Format::Svg => Box::new(move |out| svg::write(&area::draw(heap, &top), out)),
        Format::Png => Box::new(move |out| png::write(&area::draw(heap, &top), out)),
        Format::Hp => Box::new(|out| hp::write(heap, out)),
        Format::Lcov | Format::Cobertura => return Err(format!("{name}: a profile has no coverage")),
        Format::Heapsnapshot => return Err(format!("{name}: a profile has no object graph")),
    })
}

/// All samples that counted anything, or as many evenly spread ones as a list bears, with the peak; and its index.
fn moments(heap: &HeapProfile, stacks: &[Stack]) -> Result<(Vec<Stacks>, usize), String> {
    let heights = heap.heights();
    let peak = Moment::Peak.sample(heap);
    let filled: Vec<usize> = (0..heights.len()).filter(|&sample| heights[sample] > 0).collect();
    let step = filled.len().div_ceil(MOST_SAMPLES).max(1);
    let mut kept: Vec<usize> =
        filled.iter().copied().step_by(step).chain(peak.filter(|&p| heights[p] > 0)).collect();
    sort::by(&mut kept, Ord::cmp);
    kept.dedup();
    if kept.len() < filled.len() {
        tell!(
            "barrow convert: {} of {} samples written, evenly spread, with the peak",
            kept.len(),
            filled.len()
        );
    }
    let active = kept.iter().position(|&sample| Some(sample) == peak).unwrap_or(0);
    let mut values = Values::of(heap);
    let mut calls = 0;
    let mut all = Vec::new();
    for sample in kept {
        let one = Stacks::of_sample(heap, stacks, sample, values.at(sample));
        calls += one.stacks.iter().map(|(stack, _)| stack.len()).sum::<usize>();
        if calls > MOST_CALLS {
            return Err(format!(
                "its stacks in all samples have more than {MOST_CALLS} calls; --at chooses a sample"
            ));
        }
        all.push(one);
    }
    Ok((all, active))
}

fn prof_writer<'a>(command: &Convert, name: &'a str, prof: &'a ProfFile) -> Result<Writing<'a>, String> {
    // Retainer sets alone can only be told, not drawn.
    if command.to == Format::Json {
        return Ok(Box::new(|out| json::write_prof(prof, out)));
    }
    let report = prof
        .report
        .as_ref()
        .ok_or_else(|| format!("{name}: holds retainer sets only; --to json tells them"))?;
    let measure = command.measure.unwrap_or(match command.to {
        Format::Massif if report.alloc > 0 => Measure::Alloc,
        _ => report.main_measure(),
    });
    let all = [Measure::Time, Measure::Alloc, Measure::Entries];
    let weighed = || -> Result<&Report, String> {
        if report.nodes.iter().all(|node| measure.of(node) <= 0.0) {
            let word =
                measure.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            return Err(format!("{name}: recorded nothing to weigh by {word}; try another --measure"));
        }
        Ok(report)
    };
    let told = |error: String| format!("{name}: {error}");
    let of = |report: &Report, measures: &[Measure]| Stacks::of_report(report, measures).map_err(told);
    Ok(match command.to {
        Format::Collapsed => {
            let stacks = of(weighed()?, &[measure])?;
            Box::new(move |out| collapsed::write(&stacks, out))
        }
        Format::Pprof => {
            let stacks = of(report, &all)?;
            Box::new(move |out| pprof::write(&stacks, out))
        }
        Format::Speedscope => {
            let stacks = of(report, &all)?;
            let active = usize::from(measure == Measure::Alloc);
            Box::new(move |out| speedscope::write(name, &[stacks], active, out))
        }
        Format::Trace => {
            let report = weighed()?;
            Box::new(move |out| trace::write_report(report, measure, out))
        }
        Format::Massif => {
            let stacks = of(weighed()?, &[measure])?;
            let milliseconds = (report.seconds * 1000.0) as u64;
            Box::new(move |out| massif::write_stacks(&stacks, milliseconds, out))
        }
        Format::Csv => {
            spelled(report, |_| true).map_err(told)?;
            Box::new(|out| csv::write_report(report, out))
        }
        Format::Svg => {
            let scene = flame::draw(weighed()?, measure);
            Box::new(move |out| svg::write(&scene, out))
        }
        Format::Png => {
            let scene = flame::draw(weighed()?, measure);
            Box::new(move |out| png::write(&scene, out))
        }
        Format::Json | Format::Hp => return Err(format!("{name}: a report has no samples to write as .hp")),
        Format::Lcov | Format::Cobertura => return Err(format!("{name}: a report has no coverage")),
        Format::Heapsnapshot => return Err(format!("{name}: a report has no object graph")),
    })
}
