//! The server behind `--serve`: answers a browser on this machine with the page, and later with what has grown.
//!
//! It listens on 127.0.0.1 only, answers only in that name, so that a web page elsewhere cannot reach it by pointing a host
//! name of its own at this machine, and only below a path that nobody can guess, since other users of the machine may
//! connect too. A fixed number of threads accept and answer, so that connections, memory and descriptors are bounded; each
//! connection has so long in all, however slowly it reads or writes.

use super::read_all;
use crate::out::tell;
use crate::page::{self, Data};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Milliseconds between a page's questions.
const INTERVAL: u64 = 700;
/// A request longer than this is none of our page's.
const LONGEST_REQUEST: u64 = 16 << 10;
/// Connections that are answered at a time; more wait in the system's queue. A browser opens six.
const WORKERS: usize = 12;
/// A browser sends its few lines at once.
const TIME_TO_ASK: Duration = Duration::from_secs(3);
/// The greatest page, on this machine's own network, from when it is ready.
const TIME_TO_READ: Duration = Duration::from_secs(30);
/// Files that are refused are not read again for so many times as long as that took: pages ask on.
const REST: u32 = 20;
/// How long to wait when nothing can be accepted, as for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

struct Site {
    files: Vec<PathBuf>,
    diff: bool,
    time_to_read: Duration,
    port: u16,
    /// The first part of every path.
    token: String,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Length and time of change of each file when it was read.
    stamps: Vec<(u64, Option<SystemTime>)>,
    /// The page that was made of them, or why there is none.
    made: Option<Result<Ready, String>>,
    /// When files that were refused may be read again though they are the same: a want of descriptors or of memory goes by.
    again: Option<Instant>,
}

/// What is sent, made once for each state of the files.
#[derive(Clone)]
struct Ready {
    tag: String,
    page: Arc<str>,
    answer: Arc<str>,
}

enum Answer {
    Page(Arc<str>),
    Data(Arc<str>),
    /// The browser has the data as the files are now.
    Same,
    /// A status, and why.
    Plain(&'static str, String),
}

pub fn serve(files: &[PathBuf], diff: bool, port: u16) -> Result<(), String> {
    if files.iter().any(|file| file.as_os_str() == "-") {
        return Err("--serve reads its files again and again, which a pipe can't be".into());
    }
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| format!("port {port}: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let token =
        random().map_err(|error| format!("/dev/urandom: {error}; without it anybody could read the page"))?;
    let site =
        Site { files: files.to_vec(), diff, time_to_read: TIME_TO_READ, port, token, kept: Mutex::default() };
    // A file that is no profile at all should be said now and not in the browser; one just begun may come later.
    if let Err(message) = site.fresh() {
        let missing = files.iter().find(|file| !file.exists());
        let until = if missing.is_some() { "until it is there" } else { "for it to grow" };
        tell!("barrow view: {message}\nbarrow view: waiting {until}; Ctrl-C ends this");
    }
    let told =
        writeln!(io::stdout(), "http://127.0.0.1:{port}/{}/", site.token).and_then(|()| io::stdout().flush());
    told.map_err(|error| format!("standard output: {error}; nobody would know the address"))?;
    thread::scope(|scope| {
        for _ in 1..WORKERS {
            // This thread answers in any case, so a system that refuses others makes the server slower and nothing else.
            if thread::Builder::new().spawn_scoped(scope, || site.work(&listener)).is_err() {
                break;
            }
        }
        site.work(&listener);
    });
    Ok(())
}

/// 128 bits that nobody knows.
fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Site {
    fn work(&self, listener: &TcpListener) {
        loop {
            match listener.accept() {
                // A browser that hangs up early, or is too slow, is its own business.
                Ok((stream, _)) => drop(self.answer(&stream)),
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        let request = Timed::new(stream, TIME_TO_ASK).take(LONGEST_REQUEST);
        let mut lines = BufReader::new(request).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let mut host = None;
        for line in lines {
            let line = line?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = Some(value.trim().to_owned());
            }
        }
        let answer = self.answer_to(&first, host.as_deref());
        // Files may take their time to be read, and are read once for all that wait.
        let out = &mut Timed::new(stream, self.time_to_read);
        match &answer {
            Answer::Page(text) => send(out, "200 OK", "text/html; charset=utf-8", text.as_bytes()),
            Answer::Data(text) => send(out, "200 OK", "application/json", text.as_bytes()),
            Answer::Same => send(out, "204 No Content", "application/json", b""),
            Answer::Plain(status, words) => send(out, status, "text/plain; charset=utf-8", words.as_bytes()),
        }
    }

    /// `first` is the first line of the request.
    fn answer_to(&self, first: &str, host: Option<&str>) -> Answer {
        let plain = |status, words: &str| Answer::Plain(status, words.to_owned());
        let known = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !host.is_some_and(|host| known.iter().any(|known| known == host)) {
            return plain("403 Forbidden", "This page is for this machine only.\n");
        }
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if method != "GET" {
            return plain("405 Method Not Allowed", "Only GET.\n");
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some((_, rest)) = parts.filter(|(token, _)| is_same(token, &self.token)) else {
            return plain("403 Forbidden", NO_TOKEN);
        };
        match (rest, self.fresh()) {
            ("", Ok(ready)) => Answer::Page(ready.page),
            ("", Err(message)) => Answer::Page(
                format!(
                    "<!doctype html><html lang=en><meta charset=utf-8><meta http-equiv=refresh content=1>\
                     <title>waiting</title><body style=\"font:16px system-ui;margin:4em\">\
                     <p>Waiting for a profile that can be shown.<p><small>{}</small>",
                    page::escape(&message)
                )
                .into(),
            ),
            ("data", Ok(ready)) if query == format!("have={}", ready.tag) => Answer::Same,
            ("data", Ok(ready)) => Answer::Data(ready.answer),
            ("data", Err(message)) => Answer::Plain("503 Service Unavailable", message),
            _ => plain("404 Not Found", "There is only the page itself.\n"),
        }
    }

    /// The data as the files are now; they are read again only if one of them has changed, or were refused a while ago.
    fn fresh(&self) -> Result<Ready, String> {
        // A thread that panicked while reading left what was kept as it was: that is still good.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = (self.files.iter())
            .map(|file| {
                let about =
                    std::fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?;
                Ok((about.len(), about.modified().ok()))
            })
            .collect::<Result<Vec<_>, String>>();
        let stamps = stamps?;
        if let Some(made) = &kept.made
            && kept.stamps == stamps
            && (made.is_ok() || kept.again.is_some_and(|again| Instant::now() < again))
        {
            return made.clone();
        }
        let begun = Instant::now();
        let made = self.read();
        *kept = Kept {
            stamps,
            made: Some(made.clone()),
            again: begun.elapsed().checked_mul(REST).and_then(|rest| Instant::now().checked_add(rest)),
        };
        made
    }

    fn read(&self) -> Result<Ready, String> {
        let inputs = read_all(&self.files, self.diff)?;
        page::fits(&inputs)?;
        let data = Data::new(&inputs, self.diff, Some(INTERVAL));
        Ok(Ready { page: data.page().into(), answer: data.answer().into(), tag: data.tag })
    }
}

const NO_TOKEN: &str = "This page needs the whole address that `barrow view --serve` printed: \
                        other users of this machine may not read your profiles.\n";

/// In a time that does not tell how much of it is right.
fn is_same(given: &str, wanted: &str) -> bool {
    let differing = given.bytes().zip(wanted.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == wanted.len() && differing == 0
}

fn send(out: &mut impl Write, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        body.len()
    );
    out.write_all(head.as_bytes())?;
    out.write_all(body)
}

/// A connection that has so long in all: a limit for each call alone would let one byte a minute go on for ever.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl<'a> Timed<'a> {
    fn new(stream: &'a TcpStream, time: Duration) -> Timed<'a> {
        Timed { stream, until: Instant::now() + time }
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        // A call blocks until all of what it was given is taken, or its time is over: small pieces keep the limit.
        self.stream.write(&bytes[..bytes.len().min(1 << 16)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe is a file whose reading takes as long as its writer likes.
    #[test]
    fn the_time_for_an_answer_begins_when_it_is_ready() {
        let path = std::env::temp_dir().join(format!("barrow-serve-{}.hp", std::process::id()));
        let name = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).unwrap();
        // SAFETY: the name ends with NUL.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let time_to_read = Duration::from_millis(300);
        let (files, token) = (vec![path.clone()], "token".to_owned());
        let site = Site { files, diff: false, time_to_read, port, token, kept: Mutex::default() };
        thread::scope(|scope| {
            scope.spawn(|| site.answer(&listener.accept().unwrap().0));
            let mut browser = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            write!(browser, "GET /token/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
            thread::sleep(time_to_read * 2);
            let sample = "BEGIN_SAMPLE 1.0\nslow_band\t8\nEND_SAMPLE 1.0\n";
            let head = "JOB \"p\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
            std::fs::write(&path, format!("{head}{sample}")).unwrap();
            let mut answer = String::new();
            browser.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("slow_band"), "{answer:.200}");
        });
        std::fs::remove_file(&path).unwrap();
    }

    /// A refusal is remembered as a page is, until the file changes or so much time has gone by that reading costs little.
    #[test]
    fn what_was_refused_is_not_read_at_each_question() {
        let path = std::env::temp_dir().join(format!("barrow-serve-refused-{}.hp", std::process::id()));
        let sample = |time: usize| format!("BEGIN_SAMPLE {time}.0\nband\t8\nEND_SAMPLE {time}.0\n");
        let head = "JOB \"p\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
        let good: String = std::iter::once(head.to_owned()).chain((0..50_000).map(sample)).collect();
        std::fs::write(&path, format!("{good}END_SAMPLE\n{}", sample(50_000))).unwrap();
        let (files, token) = (vec![path.clone()], String::new());
        let site =
            Site { files, diff: false, time_to_read: TIME_TO_READ, port: 0, token, kept: Mutex::default() };
        let begun = Instant::now();
        let refused = site.fresh().map(|_| ()).unwrap_err();
        let first = begun.elapsed();
        for _ in 0..10 {
            assert_eq!(site.fresh().map(|_| ()).unwrap_err(), refused);
        }
        assert!(begun.elapsed() < first * 2, "{first:?} first, {:?} in all", begun.elapsed());
        site.kept.lock().unwrap().again = Some(begun);
        assert_eq!(site.fresh().map(|_| ()).unwrap_err(), refused);
        std::fs::write(&path, good).unwrap();
        assert!(site.fresh().is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
