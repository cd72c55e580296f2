//! `hpc sum`, `combine` and `map`: from `.tix` files to one.

use super::failure::Failure;
use super::find::tix;
use super::output;
use super::settings::Settings;
use crate::coverage::join::{Join, Map, join, join_named, map_named};
use crate::coverage::tix::Tix;
use crate::write;

pub fn sum(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let Some((first, others)) = operands.split_first() else {
        return Err(Failure::Usage("no .tix file specified".to_string()));
    };
    let mut sum = load(settings, first)?;
    for other in others {
        sum = joined(settings, sum, other, Join::Add)?;
    }
    output::put(settings, &write::tix::write(&sum), out)
}

pub fn combine(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let [first, second] = operands else {
        return Err(Failure::Usage("need exactly two .tix files to combine".to_string()));
    };
    let function = match &settings.function {
        None => Join::Add,
        Some(name) => join_named(name).ok_or_else(|| no_function(name))?,
    };
    let combined = joined(settings, load(settings, first)?, second, function)?;
    output::put(settings, &write::tix::write(&combined), out)
}

pub fn map(settings: &Settings, operands: &[String], out: &mut String) -> Result<(), Failure> {
    let [name] = operands else {
        let wrong =
            if operands.is_empty() { "no .tix file specified" } else { "to many .tix files specified" };
        return Err(Failure::Usage(wrong.to_string()));
    };
    let function = match &settings.function {
        None => Map::Identity,
        Some(name) => map_named(name).ok_or_else(|| no_function(name))?,
    };
    let mut tix = load(settings, name)?;
    function.apply(&mut tix);
    output::put(settings, &write::tix::write(&tix), out)
}

fn no_function(name: &str) -> Failure {
    Failure::told(format!("no such combine function : {name}"))
}

fn load(settings: &Settings, name: &str) -> Result<Tix, Failure> {
    let mut tix = tix(name, || Failure::told(format!("{name}: there is no such .tix file")))?;
    tix.modules.retain(|module| settings.selection.takes(&module.name));
    Ok(tix)
}

fn joined(settings: &Settings, so_far: Tix, name: &str, function: Join) -> Result<Tix, Failure> {
    join(so_far, load(settings, name)?, function, settings.union).map_err(|mismatch| {
        let detail = format!("{name}: module {} does not fit: {}", mismatch.module, mismatch.why);
        Failure::detailed(format!("mismatched in module {}", mismatch.module), detail)
    })
}
