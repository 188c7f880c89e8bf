//! Tables of measurements, and how Ablate compares.

use std::fmt::Write as _;

use super::measure::Measurement;
use super::trajectory::first_at_most;
use crate::table::{Table, geometric_mean, number};

/// One row for each run.
pub fn table(measurements: &[Measurement]) -> Table {
    let mut table = Table::new([
        "task",
        "reducer",
        "initial",
        "final",
        "non-blank",
        "tests",
        "wall s",
        "last better s",
        "finished",
        "interesting",
        "load before",
        "logical",
        "cached",
        "accepted",
    ]);
    for m in measurements {
        let told = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |v| v.to_string());
        let finished = m.finished.as_ref();
        table.push(vec![
            m.task.clone(),
            m.reducer.clone(),
            m.initial_bytes.to_string(),
            m.final_bytes.to_string(),
            m.non_blank_bytes.to_string(),
            m.tests.to_string(),
            format!("{:.1}", m.wall_s),
            number(m.last_improvement_s(), 1),
            yes(m.is_finished),
            yes(m.is_interesting),
            number(m.load, 1),
            told(finished.map(|f| f.tests_logical)),
            told(finished.map(|f| f.tests_cached)),
            told(finished.map(|f| f.accepted)),
        ]);
    }
    table
}

fn yes(fact: bool) -> String {
    if fact { "yes" } else { "no" }.to_owned()
}

/// One row for each change of a reduced file.
pub fn trajectories(measurements: &[Measurement]) -> Table {
    let mut table = Table::new(["task", "reducer", "seconds", "bytes", "tests"]);
    for m in measurements {
        for point in &m.points {
            table.push(vec![
                m.task.clone(),
                m.reducer.clone(),
                format!("{:.2}", point.seconds),
                point.bytes.to_string(),
                point.tests.to_string(),
            ]);
        }
    }
    table
}

/// A run in one line.
pub fn line(m: &Measurement) -> String {
    let mut line = format!(
        "{}: {}: {} -> {} bytes, {} tests, {:.1} s",
        m.task, m.reducer, m.initial_bytes, m.final_bytes, m.tests, m.wall_s
    );
    if !m.is_finished {
        line.push_str(", not finished");
    }
    if !m.is_interesting {
        line.push_str(", NOT INTERESTING");
    }
    line
}

/// Ablate against `peer`, over the tasks on which both have an interesting result.
pub fn comparison(measurements: &[Measurement], peer: &str) -> String {
    let pairs: Vec<(&Measurement, &Measurement)> = measurements
        .iter()
        .filter(|m| m.reducer == "ablate" && m.is_interesting)
        .filter_map(|ours| {
            let same =
                |m: &&Measurement| m.reducer == peer && m.task == ours.task && m.is_interesting;
            Some((ours, measurements.iter().find(same)?))
        })
        .collect();
    if pairs.is_empty() {
        return format!("ablate / {peer}: no task on which both have a result\n");
    }
    let mean = |ratio: &dyn Fn(&Measurement, &Measurement) -> f64| {
        let ratios: Vec<f64> = pairs
            .iter()
            .map(|(ours, theirs)| ratio(ours, theirs))
            .collect();
        ratio_text(geometric_mean(&ratios))
    };
    // An interesting file may be empty: that counts as one byte, no test as one.
    let size = |m: &Measurement| m.final_bytes.max(1) as f64;
    let size_ratio = |ours: &Measurement, theirs: &Measurement| size(ours) / size(theirs);
    let not_larger = pairs
        .iter()
        .filter(|(o, t)| o.final_bytes <= t.final_bytes)
        .count();
    let worst = pairs
        .iter()
        .max_by(|a, b| size_ratio(a.0, a.1).total_cmp(&size_ratio(b.0, b.1)));
    let tests = mean(&|ours, theirs| ours.tests.max(1) as f64 / theirs.tests.max(1) as f64);
    let mut text = format!(
        "ablate / {peer}, geometric means over {} tasks:\n",
        pairs.len()
    );
    _ = writeln!(text, "  tests {tests}");
    _ = writeln!(
        text,
        "  wall  {}",
        mean(&|ours, theirs| ours.wall_s / theirs.wall_s)
    );
    _ = writeln!(text, "  size  {}", mean(&size_ratio));
    _ = writeln!(text, "  not larger on {not_larger} of {}", pairs.len());
    if let Some((ours, theirs)) = worst {
        let ratio = size_ratio(ours, theirs);
        _ = writeln!(text, "  largest size ratio {ratio:.2} ({})", ours.task);
    }
    text.push_str(&until_as_small(&pairs));
    text
}

/// With more places for small ratios, so that none becomes zero.
fn ratio_text(ratio: Option<f64>) -> String {
    let is_small = ratio.is_some_and(|ratio| ratio < 0.01);
    number(ratio, if is_small { 5 } else { 3 })
}

/// What it took Ablate to become as small as the peer ended: a fair figure where runs were stopped.
fn until_as_small(pairs: &[(&Measurement, &Measurement)]) -> String {
    let (mut tests, mut seconds) = (Vec::new(), Vec::new());
    for (ours, theirs) in pairs {
        let reached = first_at_most(&ours.points, theirs.final_bytes);
        let needed = first_at_most(&theirs.points, theirs.final_bytes);
        if let (Some(reached), Some(needed)) = (reached, needed) {
            tests.push(reached.tests.max(1) as f64 / needed.tests.max(1) as f64);
            seconds.push(reached.seconds.max(0.02) / needed.seconds.max(0.02));
        }
    }
    format!(
        "  until as small as the peer's result: tests {}, wall {} ({} tasks)\n",
        ratio_text(geometric_mean(&tests)),
        ratio_text(geometric_mean(&seconds)),
        tests.len()
    )
}
