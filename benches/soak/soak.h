/* The parts of the soak that every collector's program shares: which sizes come when, how much may live, and the lines that are
 * printed. A program defines `request` and `put` in the terms of its heap, and `majors`; soak.c says what they do. */
#include <sys/resource.h>
#include <unistd.h>

#define LIVE_WORDS (2 << 20)
#define SLOTS 65536
#define TURN 20000 /* operations with one distribution of sizes */

static int64_t state = 42, live, sum;
static int64_t draw(int64_t below) { state = lcg(state); return (state >> 8) % below; }

/* Words of an object of the distribution whose turn it is, its header and its length among them. */
static int64_t words_of(int64_t turn) {
    int64_t size;
    switch (turn % 4) {
    case 0: size = 3; break;
    case 1: size = 300; break;
    case 2: size = draw(8) ? 2 + draw(20) : draw(16) ? 30 + draw(400) : 1000 + draw(3000); break;
    default: size = 2 + draw(120);
    }
    return size < 3 ? 3 : size;
}

static void request(void);
static void put(int64_t turn);
static long majors(void);

static long resident_kib(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Works for so many seconds, and prints a line for each tenth. Fails when the resident memory of the last line exceeds that of
 * the third by a tenth. */
static int soak(double seconds) {
    double begun = now(), last = processor_time();
    int64_t operations = 0, before = 0, tenth = 0, turn;
    long third = 0, now_kib = 0;
    printf("| operations | CPU ns each | resident KiB | majors |\n|---|---|---|---|\n");
    for (turn = 0; tenth < 10; turn++) {
        int i;
        for (i = 0; i < TURN; i++, operations++) {
            if (i % 4 == 0) request();
            else put(turn);
        }
        /* Whole rounds of the four distributions, so that lines compare. */
        if (turn % 4 == 3 && now() - begun > seconds * (tenth + 1) / 10) {
            now_kib = resident_kib();
            printf("| %lld | %.0f | %ld | %ld |\n", (long long)operations,
                   (processor_time() - last) * 1e9 / (operations - before), now_kib, majors());
            fflush(stdout);
            last = processor_time(), before = operations;
            if (++tenth == 3) third = now_kib;
        }
    }
    if (now_kib > third + third / 10) {
        fprintf(stderr, "soak: %ld KiB are resident, %ld after three tenths of the time\n", now_kib, third);
        return 1;
    }
    return 0;
}
