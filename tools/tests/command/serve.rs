//! `barrow view --serve` against other users, slow readers, floods of connections, and a system without descriptors or threads.

use super::common::fixture;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, ended with the test.
struct Server {
    child: Child,
    port: u16,
    token: String,
}

impl Server {
    /// Under limits that the shell sets. None if it did not come to print an address.
    fn start(limits: &str) -> Option<Server> {
        let script = format!("{limits}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_barrow"), "view", "--serve"])
            .arg(fixture("hp/leak-hc.hp"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("text");
        let address = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split_once('/'));
        let Some((port, token)) = address else {
            let _ = child.wait();
            return None;
        };
        let token = token.strip_suffix('/').expect("a folder").to_owned();
        Some(Server { child, port: port.parse().expect("a port"), token })
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens")
    }

    /// The whole answer to a request for `path`.
    fn get(&self, path: &str) -> String {
        self.ask(path).expect("an answer")
    }

    fn ask(&self, path: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Whether the server ends by itself, within the seconds that a process takes to die.
    fn has_ended(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            if self.child.try_wait().expect("a child").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    fn page(&self) -> String {
        self.get(&format!("/{}/", self.token))
    }

    /// CPU time so far, in hundredths of a second.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        let rest = stat.rsplit_once(") ").expect("as ever").1;
        rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_is_for_whoever_has_the_address() {
    let server = Server::start(":").expect("a server");
    assert!(server.token.len() == 32 && server.token.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let other = Server::start(":").expect("a server");
    assert_ne!(server.token, other.token);
    let wrong = format!("/{}/", other.token);
    let short = format!("/{}/", &server.token[..31]);
    for path in ["/", "/data", "/data?have=", "//", "/x/", "", "/etc/passwd", &wrong, &short] {
        let answer = server.get(path);
        assert!(answer.starts_with("HTTP/1.1 403 "), "{path}: {answer}");
        assert!(
            answer.contains("needs the whole address that `barrow view --serve` printed"),
            "{path}: {answer}"
        );
        assert!(!answer.contains("leak-hc"), "{path}");
    }
    let page = server.page();
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("<title>") && page.contains("leak-hc.hp"));
    assert!(page.contains("\r\nReferrer-Policy: no-referrer\r\n"));
    let data = server.get(&format!("/{}/data?have=", server.token));
    assert!(data.starts_with("HTTP/1.1 200 ") && data.contains("\"blobs\""));
    assert!(server.get(&format!("/{}/more", server.token)).starts_with("HTTP/1.1 404 "));
}

#[test]
fn slow_connections_hold_the_page_up_for_a_bounded_time() {
    let server = Server::start(":").expect("a server");
    // More than are answered at a time: some ask nothing, some a byte a second, some take no answer.
    let mut idle: Vec<TcpStream> = (0..30).map(|_| server.connect()).collect();
    for stream in &mut idle[..10] {
        write!(stream, "GET /{}/ HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", server.token, server.port)
            .expect("taken");
    }
    let mut drip = idle[0].try_clone().expect("a socket");
    let dripping = std::thread::spawn(move || {
        while write!(drip, "X").is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let begun = Instant::now();
    assert!(server.page().starts_with("HTTP/1.1 200 "));
    // Thirty connections of three seconds each, a dozen at a time.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    // The one that writes for ever was dropped.
    dripping.join().expect("ends by itself");
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    let threads = std::fs::read_dir(format!("/proc/{}/task", server.child.id())).expect("it runs").count();
    assert!(threads <= 13, "{threads} threads");
}

#[test]
fn without_descriptors_it_waits_and_goes_on() {
    let server = Server::start("ulimit -n 10").expect("a server");
    let held: Vec<TcpStream> = (0..12).map(|_| server.connect()).collect();
    std::thread::sleep(Duration::from_millis(300));
    let before = server.ticks();
    std::thread::sleep(Duration::from_secs(1));
    let spent = server.ticks() - before;
    assert!(spent < 30, "{spent} hundredths of a second of CPU time in one second");
    drop(held);
    assert!(server.page().starts_with("HTTP/1.1 200 "));
}

#[test]
fn without_room_for_threads_it_serves_with_those_it_has() {
    let mut served = 0;
    // Where there is no memory for an answer either, the process ends, at the start or later: a matter of luck and of the system.
    'limits: for kilobytes in
        [400_000, 60_000, 50_000, 45_000, 40_000, 35_000, 30_000, 25_000, 20_000, 15_000]
    {
        let Some(mut server) = Server::start(&format!("ulimit -v {kilobytes}")) else { break };
        let page = format!("/{}/", server.token);
        for _ in 0..20 {
            match server.ask(&page) {
                Ok(answer) if answer.starts_with("HTTP/1.1 ") => {}
                _ if server.has_ended() => break 'limits,
                other => panic!("alive, but with {kilobytes} KB it answers {other:?}"),
            }
        }
        served += 1;
    }
    assert!(served > 1, "the limits of this test are all too tight");
}

/// A file that is not there may be made yet, and whoever waits is told so.
#[test]
fn a_file_that_is_missing_is_waited_for_and_told() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["view", "--serve", "no/such/file.prof"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("text");
    let _ = child.kill();
    let said = String::from_utf8(child.wait_with_output().expect("ended").stderr).expect("text");
    assert!(line.starts_with("http://") && said.contains("file.prof: No such file"), "{said}");
    assert!(said.contains("waiting until it is there; Ctrl-C ends this"), "{said}");
}
