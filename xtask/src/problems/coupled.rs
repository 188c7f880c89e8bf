//! Problems where two parts have to change together: a number says how many of something there are,
//! or what they add up to.

use serde_json::{Value, json};

use super::{Problem, Published, Test};

/// A list, and its length beside it.
pub fn coupled_count_json() -> Problem {
    Problem {
        name: "coupled_count_json",
        file_name: "coupled_count.json",
        initial: coupled_count_json_initial,
        test: Test::Pure(counts_its_events),
        published: Published {
            initial_bytes: 3831,
            final_bytes: 143,
            calls: 5325,
            calls_to_90: 35,
            calls_to_99: 361,
            tail: 3083,
        },
        optimum: 45,
    }
}

fn coupled_count_json_initial() -> Vec<u8> {
    let events: Vec<Value> = (0..25)
        .map(|number| {
            let kind = match number {
                13 => "crash",
                _ => ["start", "stop", "login", "logout"][number % 4],
            };
            json!({
                "id": 100_000 + number,
                "type": kind,
                "host": format!("node-{}.eu.cluster.example", number % 7),
                "duration_ms": number * 37 % 911,
                "ok": number % 3 != 1,
            })
        })
        .collect();
    let report = json!({
        "service": "billing-frontend-eu (invoices and reminders, hourly run)",
        "region": "eu-central-1",
        "version": "4.17.2",
        "event_count": events.len(),
        "events": events,
        "is_complete": true,
        "window": {"from": "2031-04-05T00:00:00Z", "to": "2031-04-05T23:59:59Z"},
    });
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.into_bytes()
}

/// A JSON object whose `event_count` is the length of its `events`, one of which is a crash.
fn counts_its_events(candidate: &[u8]) -> bool {
    let Ok(report) = serde_json::from_slice::<Value>(candidate) else {
        return false;
    };
    let Some(events) = report.get("events").and_then(Value::as_array) else {
        return false;
    };
    let is_crash = |event: &Value| event.get("type").is_some_and(|kind| kind == "crash");
    report.get("event_count").and_then(Value::as_u64) == Some(events.len() as u64)
        && events.iter().any(is_crash)
}

/// Entries, and the sum of their values below them.
pub fn coupled_total_text() -> Problem {
    Problem {
        name: "coupled_total_text",
        file_name: "coupled_total.txt",
        initial: coupled_total_text_initial,
        test: Test::Pure(adds_up),
        published: Published {
            initial_bytes: 602,
            final_bytes: 350,
            calls: 27_532,
            calls_to_90: 2846,
            calls_to_99: 2859,
            tail: 8800,
        },
        optimum: 29,
    }
}

fn coupled_total_text_initial() -> Vec<u8> {
    let mut text =
        "# nightly ledger, one entry per job\n# all values are in seconds\nFORMAT 2\n".to_owned();
    let mut total = 0;
    for number in 0..30 {
        let value = 3 + number * 47 % 101;
        total += value;
        match number {
            17 => text.push_str(&format!("ENTRY job-corrupted {value}\n")),
            _ => text.push_str(&format!("ENTRY job-{number:03} {value}\n")),
        }
    }
    text.push_str(&format!("TOTAL {total}\nEND\n"));
    text.into_bytes()
}

/// Every entry has an integer, a total is their sum, and `job-corrupted` is among the entries.
fn adds_up(candidate: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(candidate) else {
        return false;
    };
    let mut sum = 0_i64;
    let mut totals = Vec::new();
    let mut has_corrupted = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["ENTRY", name, value] => {
                let value = value.parse::<i64>().ok();
                let Some(larger) = value.and_then(|value| sum.checked_add(value)) else {
                    return false;
                };
                sum = larger;
                has_corrupted |= name == "job-corrupted";
            }
            ["TOTAL", value] => totals.push(value.parse::<i64>()),
            _ => {}
        }
    }
    has_corrupted && totals.contains(&Ok(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_can_only_go_with_its_count() {
        assert!(counts_its_events(
            br#"{"event_count":2,"events":[{},{"type":"crash"}]}"#
        ));
        assert!(!counts_its_events(
            br#"{"event_count":2,"events":[{"type":"crash"}]}"#
        ));
        assert!(!counts_its_events(br#"{"event_count":1,"events":[{}]}"#));
        assert!(!counts_its_events(br#"[{"type":"crash"}]"#));
    }

    #[test]
    fn an_entry_can_only_go_with_its_share_of_the_total() {
        assert!(adds_up(b"ENTRY job-corrupted 5\nENTRY a 2\nTOTAL 7\n"));
        assert!(!adds_up(b"ENTRY job-corrupted 5\nTOTAL 7\n"));
        assert!(!adds_up(b"ENTRY job-corrupted x\nTOTAL 0\n"));
        assert!(!adds_up(b"ENTRY a 7\nTOTAL 7\n"));
    }
}
