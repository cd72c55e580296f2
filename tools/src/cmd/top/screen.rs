//! The terminal of `top -f`: a screen of its own, which is left as it was found, and keys to order, search and go through the
//! bands. Without a terminal there is none. A signal that ends the program leaves the terminal as it was found, too.

use super::Sort;
use super::table::{self, HEAD_LINES, Style};
use super::tally::Tally;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
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

    fn press(&mut self, key: KeyEvent) -> Wish {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // The terminal's own way to end a program reaches it as a key.
            KeyCode::Char('c') if is_control => return Wish::Quit,
            KeyCode::Enter | KeyCode::Esc if self.is_typing => {
                self.is_typing = false;
                if key.code == KeyCode::Esc {
                    self.filter.clear();
                }
            }
            KeyCode::Backspace if self.is_typing => drop(self.filter.pop()),
            KeyCode::Char(letter) if self.is_typing && !is_control => self.filter.push(letter),
            KeyCode::Char('q') | KeyCode::Esc => return Wish::Quit,
            KeyCode::Char('s') => self.sort = self.next(1),
            KeyCode::Char('S') => self.sort = self.next(ORDERS.len() - 1),
            KeyCode::Char('/') => (self.is_typing, self.skip) = (true, 0),
            KeyCode::Down | KeyCode::Char('j') => self.skip += 1,
            KeyCode::Up | KeyCode::Char('k') => self.skip = self.skip.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.skip += 10,
            KeyCode::PageUp => self.skip = self.skip.saturating_sub(10),
            KeyCode::Home => self.skip = 0,
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

#[derive(PartialEq, Eq)]
enum Keys {
    None,
    There,
    /// The terminal has.
    Gone,
}

pub struct Screen {
    view: View,
    most: Option<usize>,
    /// The terminal where it is not standard input: keys come from there then.
    keys: Option<File>,
    /// The signal that has asked for an end, or 0.
    asked: Arc<AtomicUsize>,
}

impl Screen {
    /// None where there is no terminal to draw on, or none that gives single keys.
    pub fn open(sort: Sort, most: Option<usize>) -> Option<Screen> {
        if !io::stdout().is_terminal() || terminal::enable_raw_mode().is_err() {
            return None;
        }
        let keys = if io::stdin().is_terminal() { None } else { File::open("/dev/tty").ok() };
        // From here on it is left by the destructor.
        let screen = Screen { view: View::new(sort), most, keys, asked: Arc::default() };
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            flag::register_usize(signal, screen.asked.clone(), signal as usize).ok()?;
        }
        execute!(io::stdout(), EnterAlternateScreen, Hide).ok()?;
        Some(screen)
    }

    /// Does what keys say that come within `time`.
    pub fn wait(&mut self, time: Duration) -> io::Result<Wish> {
        let until = Instant::now() + time;
        let (mut wish, mut was_left) = (Wish::Go, false);
        while self.asked.load(Ordering::Relaxed) == 0 {
            // Whoever reads a terminal that has gone is told at once that there is nothing, and `event::poll` would ask for ever.
            if self.keys(Duration::ZERO) == Keys::Gone {
                return Ok(Wish::Quit);
            }
            // Nothing is waited for there, but it has what it has read before, and knows of another size.
            if !event::poll(Duration::ZERO)? {
                let rest = until.saturating_duration_since(Instant::now());
                if was_left {
                    // Keys may lie where crossterm has left them, as it does with many at once, until there are more.
                    sleep(rest);
                }
                if was_left || rest.is_zero() || self.keys(rest) == Keys::None {
                    break;
                }
                was_left = true;
                continue;
            }
            was_left = false;
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => match self.view.press(key) {
                    Wish::Quit => return Ok(Wish::Quit),
                    Wish::Redraw => return Ok(Wish::Redraw),
                    Wish::Go => {}
                },
                Event::Resize(..) => wish = Wish::Redraw,
                _ => {}
            }
        }
        Ok(if self.asked.load(Ordering::Relaxed) == 0 { wish } else { Wish::Quit })
    }

    /// Waits for keys.
    fn keys(&self, time: Duration) -> Keys {
        let fd: RawFd = self.keys.as_ref().map_or(libc::STDIN_FILENO, AsRawFd::as_raw_fd);
        let mut asked = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // A part of a millisecond counts as one, so that the time goes by without haste.
        let time = time.as_nanos().div_ceil(1_000_000) as libc::c_int;
        // SAFETY: one descriptor, which is ours.
        match unsafe { libc::poll(&mut asked, 1, time) } {
            0 => Keys::None,
            _ if asked.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0 => Keys::Gone,
            // A signal counts as a key: it is looked after.
            _ => Keys::There,
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
            let code = match letter {
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                '\u{8}' => KeyCode::Backspace,
                letter => KeyCode::Char(letter),
            };
            wish = view.press(KeyEvent::new(code, KeyModifiers::NONE));
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
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(View { is_typing: true, ..View::new(Sort::Last) }.press(control), Wish::Quit);
    }
}
