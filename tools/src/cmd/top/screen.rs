//! The terminal of `top -f`: a screen of its own, which is left as it was found, and keys to order, search and go through the
//! bands. Without a terminal there is none. A signal that ends the program leaves the terminal as it was found, too.

use super::Sort;
use super::keys::{Key, Keys};
use super::table::{self, HEAD_LINES, Style};
use super::tally::Tally;
use crate::out::can_draw;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the user wants of the loop.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing.
    Go,
    Redraw,
    Quit,
}

/// What of the bands is looked at, and how.
pub struct View {
    sort: Sort,
    filter: String,
    /// Bands above the first that is shown.
    skip: usize,
    /// Letters go to the filter.
    is_typing: bool,
}

const ORDERS: [(Sort, &str); 5] = [
    (Sort::Last, "last"),
    (Sort::Peak, "peak"),
    (Sort::Mean, "mean"),
    (Sort::Growth, "growth"),
    (Sort::Name, "name"),
];

impl View {
    pub fn new(sort: Sort) -> View {
        View { sort, filter: String::new(), skip: 0, is_typing: false }
    }

    fn press(&mut self, key: Key) -> Wish {
        match key {
            // The terminal's own way to end a program reaches it as a key.
            Key::Interrupt => return Wish::Quit,
            Key::Enter | Key::Escape if self.is_typing => {
                self.is_typing = false;
                if key == Key::Escape {
                    self.filter.clear();
                }
            }
            Key::Backspace if self.is_typing => drop(self.filter.pop()),
            Key::Letter(letter) if self.is_typing => self.filter.push(letter),
            Key::Letter('q') | Key::Escape => return Wish::Quit,
            Key::Letter('s') => self.sort = self.next(1),
            Key::Letter('S') => self.sort = self.next(ORDERS.len() - 1),
            Key::Letter('/') => (self.is_typing, self.skip) = (true, 0),
            Key::Down | Key::Letter('j') => self.skip += 1,
            Key::Up | Key::Letter('k') => self.skip = self.skip.saturating_sub(1),
            Key::PageDown | Key::Letter(' ') => self.skip += 10,
            Key::PageUp => self.skip = self.skip.saturating_sub(10),
            Key::Home => self.skip = 0,
            _ => return Wish::Go,
        }
        Wish::Redraw
    }

    fn next(&self, step: usize) -> Sort {
        let now = ORDERS.iter().position(|&(sort, _)| sort == self.sort).unwrap_or_default();
        ORDERS[(now + step) % ORDERS.len()].0
    }

    /// The last line: what the keys do.
    fn help(&self) -> String {
        let order = ORDERS.iter().find(|&&(sort, _)| sort == self.sort).map_or("", |&(_, word)| word);
        match (self.is_typing, self.filter.as_str()) {
            (true, filter) => format!("bands with: {filter}_   Enter keeps it, Esc drops it"),
            (false, "") => format!("q quit   s order: {order}   / filter   up, down"),
            (false, filter) => format!("q quit   s order: {order}   / filter: {filter}   up, down"),
        }
    }

    /// The screen's text, line for line.
    pub fn lines(&mut self, tally: &Tally, width: usize, height: usize, most: Option<usize>) -> Vec<String> {
        let room = height.saturating_sub(HEAD_LINES + 3).max(1);
        let most = most.filter(|&most| most > 0).map_or(room, |most| most.min(room));
        let found = tally.bands.iter().filter(|band| table::is_found(band, &self.filter)).count();
        self.skip = self.skip.min(found.saturating_sub(most));
        let style =
            Style { width: Some(width), most, sort: self.sort, filter: &self.filter, skip: self.skip };
        let text = table::render(tally, &style);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).take(height.saturating_sub(1)).collect();
        lines.push(self.help().chars().take(width).collect());
        lines
    }
}

pub struct Screen {
    view: View,
    most: Option<usize>,
    keys: Keys,
    /// The signal that has asked for an end, or 0.
    asked: Arc<AtomicUsize>,
    /// The terminal has another size.
    resized: Arc<AtomicBool>,
}

impl Screen {
    /// None where there is no terminal to draw on, or none that gives single keys.
    pub fn open(sort: Sort, most: Option<usize>) -> Option<Screen> {
        let keys = if can_draw(&io::stdout()) { Keys::open().ok()? } else { return None };
        terminal::enable_raw_mode().ok()?;
        // From here on it is left by the destructor.
        let screen =
            Screen { view: View::new(sort), most, keys, asked: Arc::default(), resized: Arc::default() };
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            flag::register_usize(signal, screen.asked.clone(), signal as usize).ok()?;
        }
        flag::register(SIGWINCH, screen.resized.clone()).ok()?;
        execute!(io::stdout(), EnterAlternateScreen, Hide).ok()?;
        Some(screen)
    }

    /// Does what keys say that come within `time`.
    pub fn wait(&mut self, time: Duration) -> Wish {
        let until = Instant::now() + time;
        let mut is_over = false;
        loop {
            while let Some(key) = self.keys.next() {
                match self.view.press(key) {
                    Wish::Go => {}
                    wish => return wish,
                }
            }
            if self.asked.load(Ordering::Relaxed) != 0 {
                return Wish::Quit;
            }
            if self.resized.swap(false, Ordering::Relaxed) {
                return Wish::Redraw;
            }
            if is_over {
                return Wish::Go;
            }
            let rest = until.saturating_duration_since(Instant::now());
            is_over = rest.is_zero();
            if !self.keys.wait(rest) {
                return Wish::Quit;
            }
        }
    }

    pub fn paint(&mut self, tally: &Tally) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let lines = self.view.lines(tally, usize::from(width), usize::from(height), self.most);
        let mut out = io::stdout().lock();
        queue!(out, MoveTo(0, 0))?;
        let last = lines.len().saturating_sub(1);
        for (number, line) in lines.iter().enumerate() {
            // Line by line, with what is left of the one before wiped out: no flicker.
            out.write_all(line.as_bytes())?;
            queue!(out, Clear(ClearType::UntilNewLine))?;
            if number < last {
                out.write_all(b"\r\n")?;
            }
        }
        queue!(out, Clear(ClearType::FromCursorDown))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Whoever has closed the terminal meanwhile needs nothing.
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = terminal::disable_raw_mode();
        let signal = self.asked.load(Ordering::Relaxed);
        if signal != 0 {
            // As whoever sent it expects: the program ends by it.
            let _ = low_level::emulate_default_handler(signal as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(view: &mut View, keys: &str) -> Wish {
        let mut wish = Wish::Go;
        for letter in keys.chars() {
            wish = view.press(match letter {
                '\n' => Key::Enter,
                '\u{1b}' => Key::Escape,
                '\u{8}' => Key::Backspace,
                letter => Key::Letter(letter),
            });
        }
        wish
    }

    #[test]
    fn keys() {
        let mut view = View::new(Sort::Last);
        assert_eq!(press(&mut view, "s"), Wish::Redraw);
        assert_eq!(view.sort, Sort::Peak);
        press(&mut view, "SS");
        assert_eq!(view.sort, Sort::Name);
        // While letters are typed they are no commands.
        assert_eq!(press(&mut view, "/quesz\u{8}"), Wish::Redraw);
        assert!(view.help().starts_with("bands with: ques_"));
        press(&mut view, "\n");
        assert_eq!((view.filter.as_str(), view.is_typing), ("ques", false));
        assert!(view.help().contains("/ filter: ques"));
        press(&mut view, "/\u{1b}");
        assert_eq!((view.filter.as_str(), view.is_typing), ("", false));
        assert_eq!(press(&mut view, "x"), Wish::Go);
        assert_eq!(press(&mut view, "jjjk"), Wish::Redraw);
        assert_eq!(view.skip, 2);
        assert_eq!(press(&mut view, "q"), Wish::Quit);
        assert_eq!(press(&mut View::new(Sort::Last), "\u{1b}"), Wish::Quit);
        let mut typing = View { is_typing: true, ..View::new(Sort::Last) };
        assert_eq!(typing.press(Key::Interrupt), Wish::Quit);
    }
}
