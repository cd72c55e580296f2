//! CRC-32 as in zip files and Ethernet (polynomial 0x04c11db7, reflected). It tells a batch that was written
//! in part from a whole one.

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut value = n as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[n] = value;
        n += 1;
    }
    table
}

pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| TABLE[(sum as u8 ^ byte) as usize] ^ sum >> 8)
}

#[test]
fn it_is_the_known_one() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
}
