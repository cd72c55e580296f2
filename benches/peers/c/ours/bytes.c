#include "heap.h"
typedef struct Bytes { barrow_word h; int64_t len; unsigned char at[]; } Bytes;
OBJECT(bytes_info, BARROW_BYTES, 0, 0, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

static int64_t size_of(int64_t r) { /* class k with probability 2^-(k+1): 100 << k bytes, k = 0..13 */
    int k = 0;
    for (int b = 22; k < 13 && (r >> b & 1); b--) k++;
    return (100LL << k) + (r & 63);
}

int main(int argc, char **argv) {
    heap_init();
    int64_t n = arg(argc, argv, 1, 1000000), window = arg(argc, argv, 2, 50000);
    struct { barrow_frame frame; void *w; } f;
    f.w = barrow_array_init(barrow_alloc(m, barrow_array_words(window)), &array_info, window);
    BARROW_PUSH(m, f);
    Bytes **at = (Bytes **)barrow_array_elements(f.w); /* a large object does not move */
    int64_t x = 42, acc = 0;
    for (int64_t i = 0; i < n; i++) {
        x = lcg(x);
        int64_t sz = size_of(x >> 8);
        Bytes *p = (Bytes *)barrow_alloc(m, barrow_bytes_words(sz));
        p->h = (barrow_word)&bytes_info;
        p->len = sz;
        for (int64_t o = 0; o < sz; o += 4096) p->at[o] = (unsigned char)(i + (o >> 12));
        p->at[sz - 1] = (unsigned char)i;
        x = lcg(x);
        int64_t s = (x >> 8) % window;
        Bytes *old = at[s];
        if (old) acc = (acc + old->at[0] + old->at[old->len - 1]) & MASK;
        at[s] = p;
        barrow_barrier(m, f.w, &at[s], p);
    }
    for (int64_t s = 0; s < window; s++)
        if (at[s]) acc = (acc + at[s]->at[0] + at[s]->len) & MASK;
    gc_report();
    checksum(acc);
    return 0;
}
