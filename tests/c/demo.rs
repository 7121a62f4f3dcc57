// A Rust program with plain extern "C": checks a take in a room, files given, and prints how many contacts there are and
// the hash of their bytes (FNV-1a, 64 bits). A wrong handle is an error here, too.
use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::{null, null_mut};

type Handle = *mut c_void;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Contact {
    size: u32,
    status: i32,
    link: i32,
    kind: i32,
    object: u32,
    triangle: u32,
    other_avatar: i32,
    other_link: i32,
    toc: [f64; 2],
    touching: [f64; 2],
    point: Vec3,
    normal: Vec3,
    depth: f64,
    flags: u32,
    link_feature: u32,
    other_feature: u32,
    reserved: u32,
}

type Sink = extern "C" fn(user: *mut c_void, reports: Handle) -> i32;

#[link(name = "tocsin_c")]
extern "C" {
    fn tocsin_last_error() -> *const c_char;
    fn tocsin_destroy(handle: Handle) -> i32;
    fn tocsin_handle_count() -> usize;
    fn tocsin_motion_load(file: *const c_char, options: *const c_void, out: *mut Handle) -> i32;
    fn tocsin_environment_load(file: *const c_char, options: *const c_void, out: *mut Handle) -> i32;
    fn tocsin_avatar_load_for(model: *const c_char, motion: Handle, out: *mut Handle) -> i32;
    fn tocsin_member_create(avatar: Handle, environment: Handle, options: *const c_void, out: *mut Handle) -> i32;
    fn tocsin_detector_create(environment: Handle, options: *const c_void, out: *mut Handle) -> i32;
    fn tocsin_detector_run(detector: Handle, member: Handle, motion: Handle, range: *const c_void, options: *const c_void,
                           sink: Sink, user: *mut c_void) -> i32;
    fn tocsin_reports_contacts(reports: Handle, report: usize, contacts: *mut Contact, capacity: usize,
                               count: *mut usize) -> i32;
}

fn must(status: i32) {
    let text = unsafe { CStr::from_ptr(tocsin_last_error()) };
    assert!(status == 0, "status {}: {}", status, text.to_string_lossy());
}

struct Tally {
    contacts: usize,
    hash: u64,
}

extern "C" fn add_report(user: *mut c_void, reports: Handle) -> i32 {
    let tally = unsafe { &mut *(user as *mut Tally) };
    let size = std::mem::size_of::<Contact>();
    let mut contacts = [Contact { size: size as u32, ..Default::default() }; 64];
    let mut count = 0;
    must(unsafe { tocsin_reports_contacts(reports, 0, contacts.as_mut_ptr(), contacts.len(), &mut count) });
    let bytes = unsafe { std::slice::from_raw_parts(contacts.as_ptr() as *const u8, count * size) };
    for byte in bytes {
        tally.hash = (tally.hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    }
    tally.contacts += count;
    1
}

fn main() {
    let arguments: Vec<CString> = std::env::args().map(|text| CString::new(text).unwrap()).collect();
    let auto = CString::new("auto").unwrap();
    let mut tally = Tally { contacts: 0, hash: 0xCBF2_9CE4_8422_2325 };
    let (mut motion, mut room, mut avatar): (Handle, Handle, Handle) = (null_mut(), null_mut(), null_mut());
    let (mut member, mut detector): (Handle, Handle) = (null_mut(), null_mut());
    unsafe {
        must(tocsin_motion_load(arguments[1].as_ptr(), null(), &mut motion));
        must(tocsin_environment_load(arguments[2].as_ptr(), null(), &mut room));
        must(tocsin_avatar_load_for(auto.as_ptr(), motion, &mut avatar));
        must(tocsin_member_create(avatar, null_mut(), null(), &mut member));
        must(tocsin_detector_create(room, null(), &mut detector));
        assert_eq!(tocsin_detector_create(motion, null(), &mut null_mut()), 6, "a motion is no room");
        must(tocsin_detector_run(detector, member, motion, null(), null(), add_report,
                                 &mut tally as *mut Tally as *mut c_void));
        for handle in [detector, member, avatar, room, motion] {
            must(tocsin_destroy(handle));
        }
        assert_eq!(tocsin_handle_count(), 0);
    }
    println!("{} contacts {:016x}", tally.contacts, tally.hash);
}
