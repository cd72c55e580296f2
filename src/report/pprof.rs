//! pprof's `profile.proto`, message by message. Texts are written as they come: their numbers are the order of the file.

use std::io::{Result, Write};

/// Numbers of the fields of a profile.
mod field {
    pub(super) const SAMPLE_TYPE: u64 = 1;
    pub(super) const SAMPLE: u64 = 2;
    pub(super) const MAPPING: u64 = 3;
    pub(super) const LOCATION: u64 = 4;
    pub(super) const FUNCTION: u64 = 5;
    pub(super) const TEXT: u64 = 6;
    pub(super) const TIME: u64 = 9;
    pub(super) const PERIOD_TYPE: u64 = 11;
    pub(super) const PERIOD: u64 = 12;
    pub(super) const DEFAULT_TYPE: u64 = 14;
}

/// The values of a sample, as Go's heap profiles have them: names and units.
const VALUES: [(&str, &str); 4] = [
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("inuse_objects", "count"),
    ("inuse_space", "bytes"),
];

/// A message that is being put together. Messages of more than this do not occur: a sample of 64 calls has some 400 bytes.
struct Message {
    bytes: [u8; 1024],
    length: usize,
}

impl Message {
    const fn new() -> Message {
        Message { bytes: [0; 1024], length: 0 }
    }

    fn varint(&mut self, mut value: u64) {
        loop {
            let more = value >= 0x80;
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = value as u8 & 0x7f | (more as u8) << 7;
                self.length += 1;
            }
            value >>= 7;
            if !more {
                return;
            }
        }
    }

    fn number(&mut self, field: u64, value: u64) {
        self.varint(field << 3);
        self.varint(value);
    }

    fn message(&mut self, field: u64, inner: &Message) {
        self.varint(field << 3 | 2);
        self.varint(inner.length as u64);
        inner.bytes[..inner.length].iter().for_each(|&byte| {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = byte;
                self.length += 1;
            }
        });
    }
}

pub(crate) struct PprofWriter<'a> {
    out: &'a mut dyn Write,
    texts: u64,
}

/// A mapping of code into memory.
pub(crate) struct Mapped {
    pub(crate) start: u64,
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    /// The number of the file's name.
    pub(crate) file: u64,
    /// The number of the text of the file's build id, in hexadecimal digits; 0 is none.
    pub(crate) build_id: u64,
}

impl<'a> PprofWriter<'a> {
    /// Begins a heap profile with a sample each `period` bytes, written at `time` nanoseconds since 1970.
    pub(crate) fn begin(out: &'a mut dyn Write, period: u64, time: u64) -> Result<PprofWriter<'a>> {
        let mut writer = PprofWriter { out, texts: 0 };
        writer.text(b"")?;
        let mut last = 0;
        for (name, unit) in VALUES {
            last = writer.text(name.as_bytes())?;
            let unit = writer.text(unit.as_bytes())?;
            writer.value_type(field::SAMPLE_TYPE, last, unit)?;
        }
        let (space, bytes) = (writer.text(b"space")?, writer.text(b"bytes")?);
        writer.value_type(field::PERIOD_TYPE, space, bytes)?;
        for (field, value) in [(field::PERIOD, period), (field::TIME, time), (field::DEFAULT_TYPE, last)] {
            writer.top(field, value)?;
        }
        Ok(writer)
    }

    fn value_type(&mut self, field: u64, name: u64, unit: u64) -> Result<()> {
        let mut message = Message::new();
        message.number(1, name);
        message.number(2, unit);
        self.write(field, &message)
    }

    fn write(&mut self, field: u64, message: &Message) -> Result<()> {
        let mut whole = Message::new();
        whole.varint(field << 3 | 2);
        whole.varint(message.length as u64);
        self.out.write_all(&whole.bytes[..whole.length])?;
        self.out.write_all(&message.bytes[..message.length])
    }

    fn top(&mut self, field: u64, value: u64) -> Result<()> {
        let mut whole = Message::new();
        whole.number(field, value);
        self.out.write_all(&whole.bytes[..whole.length])
    }

    /// Writes a text, and returns its number.
    pub(crate) fn text(&mut self, text: &[u8]) -> Result<u64> {
        let mut head = Message::new();
        head.varint(field::TEXT << 3 | 2);
        head.varint(text.len() as u64);
        self.out.write_all(&head.bytes[..head.length])?;
        self.out.write_all(text)?;
        self.texts += 1;
        Ok(self.texts - 1)
    }

    pub(crate) fn mapping(&mut self, id: u64, mapped: &Mapped) -> Result<()> {
        let mut message = Message::new();
        message.number(1, id);
        message.number(2, mapped.start);
        message.number(3, mapped.limit);
        message.number(4, mapped.offset);
        message.number(5, mapped.file);
        message.number(6, mapped.build_id);
        self.write(field::MAPPING, &message)
    }

    /// A place in the code, in mapping number `mapping` (0 for none), and the number of its function's name, if that is known.
    pub(crate) fn location(&mut self, id: u64, mapping: u64, address: u64, name: Option<u64>) -> Result<()> {
        let mut message = Message::new();
        message.number(1, id);
        if mapping != 0 {
            message.number(2, mapping);
        }
        message.number(3, address);
        if let Some(name) = name {
            let mut function = Message::new();
            function.number(1, id);
            function.number(2, name);
            function.number(3, name);
            self.write(field::FUNCTION, &function)?;
            let mut line = Message::new();
            line.number(1, id);
            message.message(4, &line);
        }
        self.write(field::LOCATION, &message)
    }

    /// A sample: its locations, innermost first, its values in the order of `VALUES`, and its labels by the numbers of their texts.
    pub(crate) fn sample(
        &mut self,
        locations: impl Iterator<Item = u64>,
        values: [u64; VALUES.len()],
        labels: &[(u64, u64)],
    ) -> Result<()> {
        let mut message = Message::new();
        locations.for_each(|id| message.number(1, id));
        values.iter().for_each(|&value| message.number(2, value));
        for &(key, text) in labels {
            let mut label = Message::new();
            label.number(1, key);
            label.number(2, text);
            message.message(3, &label);
        }
        self.write(field::SAMPLE, &message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_format() {
        let mut bytes = Vec::new();
        let mut writer = PprofWriter::begin(&mut bytes, 524288, 7).unwrap();
        let name = writer.text(b"main").unwrap();
        assert_eq!(name, 11);
        writer.location(1, 0, 300, Some(name)).unwrap();
        writer.sample([1].into_iter(), [1, 2, 3, 4], &[(name, name)]).unwrap();
        let end = [
            &[0x2a, 6, 8, 1, 16, 11, 24, 11][..],
            &[0x22, 9, 8, 1, 24, 0xac, 2, 0x22, 2, 8, 1],
            &[0x12, 16, 8, 1, 16, 1, 16, 2, 16, 3, 16, 4, 0x1a, 4, 8, 11, 16, 11],
        ];
        assert!(bytes.ends_with(&end.concat()), "{bytes:x?}");
        assert!(bytes.starts_with(&[0x32, 0, 0x32, 13, b'a']));
    }
}
