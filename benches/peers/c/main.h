/* main of the programs whose workload may run in several threads of one heap at once: built with -DTHREADS=N, each of N threads
 * runs work(), and the checksum is the sum of theirs. Included last, since the runtime's header says what the hooks are:
 * runtime_init, thread_begin and thread_end (in each further thread), waiting and awake (around the wait for the others). */
#if THREADS > 1
#include <pthread.h>
typedef struct { int argc; char **argv; int64_t sum; } Share;
static void *share(void *given) {
    Share *s = given;
    thread_begin();
    s->sum = work(s->argc, s->argv);
    thread_end();
    return 0;
}
#endif

int main(int argc, char **argv) {
    runtime_init();
#if THREADS > 1
    pthread_t thread[THREADS];
    Share all[THREADS];
    for (int i = 1; i < THREADS; i++) {
        all[i] = (Share){argc, argv, 0};
        if (THREAD_CREATE(&thread[i], 0, share, &all[i])) return 1;
    }
    int64_t sum = work(argc, argv);
    waiting();
    for (int i = 1; i < THREADS; i++) {
        if (THREAD_JOIN(thread[i], 0)) return 1;
        sum += all[i].sum;
    }
    awake();
#else
    int64_t sum = work(argc, argv);
#endif
    gc_report();
    checksum(sum);
    return 0;
}
