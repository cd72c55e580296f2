//! The server behind `--serve`: answers a browser on this machine with the page, and later with what has grown.
//! It listens on 127.0.0.1 only, and refuses requests made in any other name, so that a web page elsewhere cannot
//! reach it by pointing a host name of its own at this machine.

use super::{comparable, read_all};
use crate::page::Data;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Milliseconds between a page's questions.
const INTERVAL: u64 = 700;
/// A request longer than this is none of our page's.
const LONGEST_REQUEST: u64 = 16 << 10;

struct Site {
    files: Vec<PathBuf>,
    diff: bool,
    port: u16,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Length and time of change of each file when it was read.
    stamps: Vec<(u64, Option<SystemTime>)>,
    data: Option<Data>,
}

pub fn serve(files: &[PathBuf], diff: bool, port: u16) -> Result<(), String> {
    if files.iter().any(|file| file.as_os_str() == "-") {
        return Err("--serve reads its files again and again, which a pipe can't be".into());
    }
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| format!("port {port}: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let site = Site { files: files.to_vec(), diff, port, kept: Mutex::default() };
    // A file that is no profile at all should be said now and not in the browser; one just begun may come later.
    if let Err(message) = site.fresh(|_| ()) {
        eprintln!("barrow view: {message}\nbarrow view: waiting for it to grow");
    }
    println!("http://127.0.0.1:{port}/");
    io::stdout().flush().map_err(|error| error.to_string())?;
    std::thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            // One short answer each; a browser opens a few at a time.
            scope.spawn(|| {
                // A browser that hangs up early is its own business.
                let _ = site.answer(stream);
            });
        }
    });
    Ok(())
}

impl Site {
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.set_write_timeout(Some(Duration::from_secs(60)))?;
        let mut lines = BufReader::new((&stream).take(LONGEST_REQUEST)).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
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
        let known = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !host.is_some_and(|host| known.contains(&host)) {
            return send(
                &mut stream,
                "403 Forbidden",
                "text/plain",
                b"This page is for this machine only.\n",
            );
        }
        let mut words = request.split(' ');
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if method != "GET" {
            return send(&mut stream, "405 Method Not Allowed", "text/plain", b"Only GET.\n");
        }
        let reply = match target.split_once('?').unwrap_or((target, "")) {
            ("/", _) => self.fresh(|data| ("200 OK", "text/html; charset=utf-8", data.page())),
            ("/data", query) => self.fresh(|data| {
                if query == format!("have={}", data.tag) {
                    ("204 No Content", "application/json", String::new())
                } else {
                    ("200 OK", "application/json", data.answer())
                }
            }),
            _ => {
                return send(&mut stream, "404 Not Found", "text/plain", b"There is only the page itself.\n");
            }
        };
        match reply {
            Ok((status, kind, body)) => send(&mut stream, status, kind, body.as_bytes()),
            Err(message) if target == "/" => {
                let page = format!(
                    "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=1>\
                     <title>waiting</title><body style=\"font:16px system-ui;margin:4em\">\
                     <p>Waiting for a profile that can be shown.<p><small>{}</small>",
                    crate::page::escape(&message)
                );
                send(&mut stream, "200 OK", "text/html; charset=utf-8", page.as_bytes())
            }
            Err(message) => send(&mut stream, "503 Service Unavailable", "text/plain", message.as_bytes()),
        }
    }

    /// The data as the files are now; they are read again only if one of them has changed.
    fn fresh<T>(&self, make: impl FnOnce(&Data) -> T) -> Result<T, String> {
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
        if kept.data.is_none() || kept.stamps != stamps {
            let inputs = read_all(&self.files).map_err(|error| error.to_string())?;
            comparable(&inputs, self.diff)?;
            kept.data = Some(Data::new(&inputs, self.diff, Some(INTERVAL)));
            kept.stamps = stamps;
        }
        kept.data.as_ref().map(make).ok_or_else(|| "nothing was read".into())
    }
}

fn send(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}
