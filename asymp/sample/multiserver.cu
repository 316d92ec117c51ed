// Multiserver jobs in FCFS order with head-of-line blocking: draws, runs of servers, the recurrence.
//
// The same text is compiled by NVRTC for a GPU and, with a few definitions, by a C++ compiler for tests.  Floating point is plain
// IEEE float64 with no fused operations (--fmad=false), in the order of the CPU's kernels, so that both give the same bits.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// ---------------------------------------------------------------------------------------------- Philox4x32-10

struct Words {
    u32 w0, w1, w2, w3;
};

__device__ __forceinline__ Words philox(u64 job, u32 block, u64 sample, u64 seed)
{
    u32 c0 = (u32)job, c1 = (u32)(job >> 32) | (block << 24), c2 = (u32)sample, c3 = (u32)(sample >> 32);
    u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 p0 = (u64)c0 * 0xD2511F53u, p1 = (u64)c2 * 0xCD9E8D57u;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return Words{c0, c1, c2, c3};
}

// ---------------------------------------------------------------------------- logarithm and exponential (fdlibm)

__device__ __forceinline__ double log_(double x)
{
    i64 shifted = __double_as_longlong(x) + (0x3FF0000000000000LL - 0x3FE6A09E00000000LL);
    double k = (double)((int)(shifted >> 52) - 1023);
    double f = __longlong_as_double((shifted & 0x000FFFFFFFFFFFFFLL) + 0x3FE6A09E00000000LL) - 1.0;
    double half_square = 0.5 * f * f;
    double s = f / (2.0 + f);
    double z = s * s;
    double w = z * z;
    double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double odd = z * (6.666666666666735130e-01
                      + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    return k * 6.93147180369123816490e-01
           - ((half_square - (s * (half_square + (even + odd)) + k * 1.90821492927058770002e-10)) - f);
}

__device__ __forceinline__ double exp_(double x)
{
    double k = floor(x * 1.44269504088896338700e00 + 0.5);
    double high = x - k * 6.93147180369123816490e-01;
    double low = k * 1.90821492927058770002e-10;
    double r = high - low;
    double t = r * r;
    double c = r - t * (1.66666666666666019037e-01
                        + t * (-2.77777777770155933842e-03
                               + t * (6.61375632143793436117e-05
                                      + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    double y = 1.0 - ((low - (r * c) / (2.0 - c)) - high);
    return y * __longlong_as_double(((i64)k + 1023) << 52);
}

// ------------------------------------------------------------------------------------------------ draws of jobs

enum { EXPONENTIAL = 0, ERLANG = 1, PARETO = 2, FIXED = 3 };
enum { CHOICE_BLOCK = 127, ARRIVAL_BLOCK = 128 };

// An alias table and the parameters of its entries (asymp.sample.packed.Packed).
struct Table {
    i64 entries;
    const i64 *thresholds, *aliases, *needs;
    const int *classes, *kinds;
    const double *parameters;
    int used;  // bit k: some entry is of kind k
};

struct Job {
    i64 need;
    int cls;
    double sigma, tau;
};

__device__ __forceinline__ i64 choose(u64 word, const Table &table)
{
    u64 x = word * (u64)table.entries;
    i64 index = (i64)((x >> 40) & 0xFFFFFF);
    return (i64)(x & 0xFFFFFFFFFFULL) < table.thresholds[index] ? index : table.aliases[index];
}

__device__ __forceinline__ double fine_uniform(u32 low, u32 high)
{
    return ((double)(i64)((u64)(low >> 12) | ((u64)high << 20)) + 0.5) * 0x1p-52;
}

// A time of an entry's law from its first uniform; `base` is the block before the first further one.
__device__ __forceinline__ double time_of(
    const Table &table, i64 entry, double u, u32 base, u64 job, u64 sample, u64 seed)
{
    const double *p = table.parameters + 3 * entry;
    if (table.used == 1 << EXPONENTIAL)
        return -p[0] * log_(u);
    int kind = table.kinds[entry];
    if (kind == FIXED)
        return p[0];
    if (kind == PARETO)
        return p[0] * exp_(-log_(1.0 - u * p[1]) * p[2]);
    double logs = log_(u);
    if (kind == ERLANG) {
        double phases = p[1];
        for (int phase = 1; phase < phases; phase += 2) {
            Words w = philox(job, base + phase / 2, sample, seed);
            logs += log_(fine_uniform(w.w0, w.w1));
            if (phase + 1 < phases)
                logs += log_(fine_uniform(w.w2, w.w3));
        }
    }
    return -p[0] * logs;
}

__device__ __forceinline__ Job draw(const Table &service, const Table &arrival, u64 seed, u64 sample, u64 job)
{
    Words w = philox(job, 0, sample, seed);
    u64 word = (u64)(w.w0 & 0xFFFFFu) | ((u64)(w.w2 & 0xFFFFFu) << 20);
    double u = ((double)(i64)((u64)(w.w0 >> 20) | ((u64)w.w1 << 12)) + 0.5) * 0x1p-44;
    double v = ((double)(i64)((u64)(w.w2 >> 20) | ((u64)w.w3 << 12)) + 0.5) * 0x1p-44;
    i64 entry = choose(word, service);
    Job out;
    out.need = service.needs[entry];
    out.cls = service.classes[entry];
    out.sigma = time_of(service, entry, u, 1, job, sample, seed);
    i64 which = 0;
    if (arrival.entries > 1) {
        Words c = philox(job, CHOICE_BLOCK, sample, seed);
        which = choose((u64)(c.w0 >> 24) | ((u64)c.w1 << 8), arrival);
    }
    out.tau = time_of(arrival, which, v, ARRIVAL_BLOCK, job, sample, seed);
    return out;
}

// --------------------------------------------------------------------------- the recurrence, one sample a thread

#define LIMIT __longlong_as_double(0x7FF0000000000000LL)

// t: arrival of the next job; v: start of the last; free: servers free at v; n: runs.
struct Clock {
    double t, v;
    i64 free;
    int n;
};

// Runs (completion time, servers) of one thread, the soonest last; element k is at k * stride.
struct Stack {
    double *times;
    int *counts;
    int stride;
};

__device__ __forceinline__ void reset(Clock &c, i64 servers, double t)
{
    c.t = c.v = t;
    c.free = servers;
    c.n = 0;
}

__device__ __forceinline__ void rebase(Clock &c, Stack runs)
{
    double t = c.t;
    c.t = 0.0;
    c.v -= t;
    for (int k = 0; k < c.n; k++)
        runs.times[k * runs.stride] -= t;
}

// What has completed by v is free.
__device__ __forceinline__ void release(Clock &c, Stack runs)
{
    while (c.n > 0 && runs.times[(c.n - 1) * runs.stride] <= c.v) {
        c.n--;
        c.free += runs.counts[c.n * runs.stride];
    }
}

// A job arrives at t: when it starts, what its waiting leaves idle, and its run.
template <bool IDLE>
__device__ __forceinline__ double serve(Clock &c, Stack runs, const Job &job)
{
    c.v = c.v > c.t ? c.v : c.t;
    release(c, runs);
    double unused = 0.0;
    while (c.free < job.need) {
        c.n--;
        double time = runs.times[c.n * runs.stride];
        if (IDLE)
            unused += (double)c.free * (time - c.v);
        c.v = time;
        c.free += runs.counts[c.n * runs.stride];
    }
    c.free -= job.need;
    double end = c.v + job.sigma;
    int k = c.n++;
    while (k > 0 && runs.times[(k - 1) * runs.stride] < end) {
        runs.times[k * runs.stride] = runs.times[(k - 1) * runs.stride];
        runs.counts[k * runs.stride] = runs.counts[(k - 1) * runs.stride];
        k--;
    }
    runs.times[k * runs.stride] = end;
    runs.counts[k * runs.stride] = (int)job.need;
    return unused;
}

// ----------------------------------------------------------------------------- the recurrence, one sample a warp

#define ALL 0xFFFFFFFFu

// Runs in a 32-ary heap: the children of i are 32 i + 1 ... 32 i + 32, read by the 32 lanes at once.  `top` is the
// soonest time.  Every lane holds the same Clock and `top`.
struct Heap {
    double *times;
    int *counts;
    double top;
    int lane;
};

__device__ __forceinline__ double least_of_warp(double x)
{
#pragma unroll
    for (int step = 16; step > 0; step >>= 1) {
        double y = __shfl_xor_sync(ALL, x, step);
        x = y < x ? y : x;
    }
    return x;
}

// The run takes the place of the top of a heap of n and sinks to where it belongs.
__device__ __forceinline__ void sink(Heap &heap, int n, double time, int servers)
{
    int hole = 0;
    heap.top = time;
    for (int child = 1; child < n; child = 32 * hole + 1) {
        int mine = child + heap.lane;
        double t = mine < n ? heap.times[mine] : LIMIT;
        int servers_of_mine = mine < n ? heap.counts[mine] : 0;  // read before another lane may write there
        double least = least_of_warp(t);
        if (!(least < time))
            break;
        int winner = __ffs(__ballot_sync(ALL, t == least)) - 1;
        if (heap.lane == winner) {
            heap.times[hole] = t;
            heap.counts[hole] = servers_of_mine;
        }
        if (hole == 0)
            heap.top = least;
        hole = child + winner;
    }
    if (heap.lane == 0) {
        heap.times[hole] = time;
        heap.counts[hole] = servers;
    }
    __syncwarp();
}

// The run is added below a heap of n and rises to where it belongs.
__device__ __forceinline__ void rise(Heap &heap, int n, double time, int servers)
{
    if (n == 0 || time < heap.top)
        heap.top = time;
    if (heap.lane == 0) {
        int k = n;
        while (k > 0) {
            int parent = (k - 1) >> 5;
            if (heap.times[parent] <= time)
                break;
            heap.times[k] = heap.times[parent];
            heap.counts[k] = heap.counts[parent];
            k = parent;
        }
        heap.times[k] = time;
        heap.counts[k] = servers;
    }
    __syncwarp();
}

// The soonest run is taken out.
__device__ __forceinline__ void pop(Clock &c, Heap &heap)
{
    c.n--;
    if (c.n > 0) {
        double time = heap.times[c.n];
        int servers = heap.counts[c.n];
        __syncwarp();
        sink(heap, c.n, time, servers);
    } else {
        heap.top = LIMIT;
    }
}

__device__ __forceinline__ void rebase(Clock &c, Heap &heap)
{
    double t = c.t;
    c.t = 0.0;
    c.v -= t;
    for (int k = heap.lane; k < c.n; k += 32)
        heap.times[k] -= t;
    heap.top -= t;
    __syncwarp();
}

__device__ __forceinline__ void release(Clock &c, Heap &heap)
{
    while (c.n > 0 && heap.top <= c.v) {
        c.free += heap.counts[0];
        __syncwarp();
        pop(c, heap);
    }
}

template <bool IDLE>
__device__ __forceinline__ double serve(Clock &c, Heap &heap, const Job &job)
{
    c.v = c.v > c.t ? c.v : c.t;
    double unused = 0.0;
    bool hole = false;  // the top is free and its place not yet filled
    while (c.n > 0) {
        if (hole) {
            pop(c, heap);
            hole = false;
            if (c.n == 0)
                break;
        }
        if (heap.top > c.v) {
            if (c.free >= job.need)
                break;
            if (IDLE)
                unused += (double)c.free * (heap.top - c.v);
            c.v = heap.top;
        }
        c.free += heap.counts[0];
        hole = true;
        if (c.v > c.t && c.free >= job.need)
            break;  // runs that complete at v as well are found by the next job
        __syncwarp();
    }
    c.free -= job.need;
    double end = c.v + job.sigma;
    __syncwarp();
    if (hole) {
        sink(heap, c.n, end, (int)job.need);
    } else {
        rise(heap, c.n, end, (int)job.need);
        c.n++;
    }
    return unused;
}

// ------------------------------------------------------------------------------------------------ the kernels
//
// Slot i of a launch is sample `base + slots[i]`.  Element k of slot q's runs lies at `k * along + q * across`.  With one sample
// a thread, neighbouring threads are neighbours in memory and runs live in shared memory during a launch; with a
// warp, a sample's runs are contiguous and stay where they are.

#define LAWS                                                                                                           \
    i64 s_entries, const i64 *s_thresholds, const i64 *s_aliases, const i64 *s_needs, const int *s_classes,            \
        const int *s_kinds, const double *s_parameters, i64 s_used, i64 a_entries, const i64 *a_thresholds,            \
        const i64 *a_aliases, const int *a_kinds, const double *a_parameters, i64 a_used, u64 seed, u64 base

#define SERVICE Table{s_entries, s_thresholds, s_aliases, s_needs, s_classes, s_kinds, s_parameters, (int)s_used}
#define ARRIVAL Table{a_entries, a_thresholds, a_aliases, nullptr, nullptr, a_kinds, a_parameters, (int)a_used}

// Between launches a slot's state is `clock` (t, v), `level` (free, n) and its runs.
__device__ __forceinline__ Clock load_clock(const double *clock, const i64 *level, i64 q)
{
    Clock c;
    c.t = clock[2 * q];
    c.v = clock[2 * q + 1];
    c.free = level[2 * q];
    c.n = (int)level[2 * q + 1];
    return c;
}

__device__ __forceinline__ void store_clock(const Clock &c, double *clock, i64 *level, i64 q)
{
    clock[2 * q] = c.t;
    clock[2 * q + 1] = c.v;
    level[2 * q] = c.free;
    level[2 * q + 1] = c.n;
}

// What a job of a trajectory leaves behind: nothing, or its waiting time and what it left idle (tests, forward runs).
struct Nothing {
    static const bool IDLE = false;
    static const bool PILE = false;
    __device__ __forceinline__ void start(i64, i64) const {}
    __device__ __forceinline__ void see(i64, const Job &, double, double) const {}
};

struct Trace {
    static const bool IDLE = true;
    static const bool PILE = false;
    double *wait, *idle;  // job k of slot i at k * count + i
    i64 count;
    __device__ __forceinline__ void start(i64 i, i64 slots)
    {
        wait += i;
        idle += i;
        count = slots;
    }
    __device__ __forceinline__ void see(i64 k, const Job &, double waited, double unused) const
    {
        wait[k * count] = waited;
        idle[k * count] = unused;
    }
};

// Sums over the jobs of a forward run from the `skip`th on (asymp.sample.forward): number j of class c of slot i at
// (5 c + j) * count + i; and a histogram of the waiting times of each class, by the first bits of the number.
struct Sums {
    static const bool IDLE = true;
    static const bool PILE = false;
    double *sums;
    u64 *counts;
    i64 skip, bins, shift, base, count;
    __device__ __forceinline__ void start(i64 i, i64 slots)
    {
        sums += i;
        count = slots;
    }
    __device__ __forceinline__ void see(i64 k, const Job &job, double waited, double unused) const
    {
        if (k < skip)
            return;
        double *own = sums + 5 * job.cls * count;
        own[0] += 1.0;
        own[count] += waited;
        own[2 * count] += waited * waited;
        own[3 * count] += unused;
        own[4 * count] += job.sigma;
        i64 place = 0;
        if (waited > 0.0) {
            place = (__double_as_longlong(waited) >> shift) - base;
            place = place < 1 ? 1 : place > bins - 1 ? bins - 1 : place;
        }
        atomicAdd(counts + job.cls * bins + place, (u64)1);
    }
};

// A pile: all jobs come at one time.  Of each class of slot i the jobs and their service times at (2 c + j) * count + i, and the
// rise of v (asymp.sample.pile).
struct Piled {
    static const bool IDLE = false;
    static const bool PILE = true;
    double *sums, *rise;
    i64 count;
    __device__ __forceinline__ void start(i64 i, i64 slots)
    {
        sums += i;
        rise += i;
        count = slots;
    }
    __device__ __forceinline__ void climb(double v) const { *rise += v; }
    __device__ __forceinline__ void see(i64, const Job &job, double, double) const
    {
        double *own = sums + 2 * job.cls * count;
        own[0] += 1.0;
        own[count] += job.sigma;
    }
};

// Jobs first, first + step, ..., `count` of them.  The clock starts anew before jobs whose index is a multiple of the
// block, wherever the trajectory began, so that trajectories that have met hold the same bits.
template <class Watch>
__device__ __forceinline__ void travel(
    Clock &c, Stack runs, const Table &service, const Table &arrival, u64 seed, u64 sample, i64 block, i64 first,
    i64 count, i64 step, const Watch &watch)
{
    i64 index = first;
    for (i64 k = 0; k < count; k++) {
        if ((index & (block - 1)) == 0)
            rebase(c, runs);
        Job job = draw(service, arrival, seed, sample, (u64)index);
        double unused = serve<Watch::IDLE>(c, runs, job);
        watch.see(k, job, c.v - c.t, unused);
        if (!Watch::PILE)
            c.t += job.tau;
        index += step;
    }
}

template <class Watch>
__device__ __forceinline__ void travel(
    Clock &c, Heap &heap, const Table &service, const Table &arrival, u64 seed, u64 sample, i64 block, i64 first,
    i64 count, i64 step, const Watch &watch)
{
    for (i64 start = 0; start < count; start += 32) {
        int m = count - start < 32 ? (int)(count - start) : 32;
        // Each lane draws a job; then all of them serve the jobs one after another.
        Job mine = Job{0, 0, 0.0, 0.0};
        if (heap.lane < m)
            mine = draw(service, arrival, seed, sample, (u64)(first + step * (start + heap.lane)));
        for (int k = 0; k < m; k++) {
            if (((first + step * (start + k)) & (block - 1)) == 0)
                rebase(c, heap);
            Job job;
            job.need = __shfl_sync(ALL, (int)mine.need, k);
            job.cls = __shfl_sync(ALL, mine.cls, k);
            job.sigma = __shfl_sync(ALL, mine.sigma, k);
            job.tau = __shfl_sync(ALL, mine.tau, k);
            double unused = serve<Watch::IDLE>(c, heap, job);
            if (heap.lane == 0)
                watch.see(start + k, job, c.v - c.t, unused);
            if (!Watch::PILE)
                c.t += job.tau;
        }
    }
}

__device__ __forceinline__ bool leads(const Stack &)
{
    return true;
}

__device__ __forceinline__ bool leads(const Heap &heap)
{
    return heap.lane == 0;
}

// The same; v of a pile becomes time 0 after every 1024 jobs, so that its digits do not run out.
template <class Runs, class Watch>
__device__ __forceinline__ void journey(
    Clock &c, Runs &runs, const Table &service, const Table &arrival, u64 seed, u64 sample, i64 block, i64 first,
    i64 count, i64 step, const Watch &watch)
{
    if constexpr (Watch::PILE) {
        for (i64 start = 0; start < count; start += 1024) {
            i64 m = count - start < 1024 ? count - start : 1024;
            travel(c, runs, service, arrival, seed, sample, block, first + step * start, m, step, watch);
            if (leads(runs))
                watch.climb(c.v);
            c.t = c.v;
            rebase(c, runs);
        }
    } else {
        travel(c, runs, service, arrival, seed, sample, block, first, count, step, watch);
    }
}

// The state in order: free servers first, runs of equal times in one; compared with what is kept of a shorter
// trajectory at the same place, and kept in its stead.
struct Mark {
    double *times;
    int *counts;
    i64 along;
    i64 kept, length;  // runs of the other, of this one
    bool writes, same;  // one lane of a warp writes
    double time;
    i64 servers;

    __device__ __forceinline__ void flush()
    {
        if (servers == 0)
            return;
        i64 place = length * along;
        if (writes) {
            same = same && length < kept && times[place] == time && counts[place] == (int)servers;
            times[place] = time;
            counts[place] = (int)servers;
        }
        length++;
    }

    __device__ __forceinline__ void add(double next, i64 more)
    {
        if (servers > 0 && next == time) {
            servers += more;
            return;
        }
        flush();
        time = next;
        servers = more;
    }
};

__device__ __forceinline__ void in_order(Clock &c, Stack runs, Mark &mark)
{
    for (int k = c.n - 1; k >= 0; k--)
        mark.add(runs.times[k * runs.stride], runs.counts[k * runs.stride]);
    mark.flush();
}

// Popped in order by the warp, then put back: a sorted array is a heap.
__device__ __forceinline__ void in_order(Clock &c, Heap &heap, Mark &mark)
{
    while (c.n > 0) {
        double time = heap.top;
        int servers = heap.counts[0];
        __syncwarp();
        pop(c, heap);
        mark.add(time, servers);
    }
    mark.flush();
    i64 skip = c.free > 0 ? 1 : 0;
    c.n = (int)(mark.length - skip);
    __syncwarp();
    for (int k = heap.lane; k < c.n; k += 32) {
        heap.times[k] = mark.times[k + skip];
        heap.counts[k] = mark.counts[k + skip];
    }
    __syncwarp();
    heap.top = c.n > 0 ? heap.times[0] : LIMIT;
}

template <class Runs>
__device__ __forceinline__ void settle(Clock &c, Runs &runs, Mark &mark)
{
    c.v = c.v > c.t ? c.v : c.t;
    release(c, runs);
    if (c.free > 0)
        mark.add(c.v, c.free);
    in_order(c, runs, mark);
}

// Empty systems before job `start`.  The clock of its block began at the block's far end (job `top`), so what came in
// between is drawn for its times alone.  A mark of the empty state is kept if `mark_times` is given.
extern "C" __global__ void begin(
    LAWS, const i64 *slots, i64 count, i64 servers, i64 top, i64 start, double *clock, i64 *level, double *mark_times,
    int *mark_counts, i64 *mark_length, i64 across)
{
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    i64 q = slots[i];
    Table service = SERVICE, arrival = ARRIVAL;
    double t = 0.0;
    for (i64 index = top; index > start; index--)
        t += draw(service, arrival, seed, base + (u64)q, (u64)index).tau;
    Clock c;
    c.t = c.v = t;
    c.free = servers;
    c.n = 0;
    store_clock(c, clock, level, q);
    if (mark_times != nullptr) {
        mark_times[q * across] = t;
        mark_counts[q * across] = (int)servers;
        mark_length[q] = 1;
    }
}

#define TRAVEL                                                                                                         \
    LAWS, const i64 *slots, i64 count, i64 block, i64 first, i64 jobs, i64 step, double *clock, i64 *level,            \
        double *times, int *counts, i64 along, i64 across, i64 room

#define KEEP double *mark_times, int *mark_counts, i64 *mark_length, i64 mark_along, i64 mark_across, i64 *same

#define TRACE double *wait, double *idle

__device__ __forceinline__ Mark mark_at(
    double *times, int *counts, const i64 *length, i64 along, i64 across, i64 q, bool writes)
{
    return Mark{times + q * across, counts + q * across, along, length[q], 0, writes, true, 0.0, 0};
}

// Through `jobs` jobs from `first` on.  Then, if `mark_times` is given, the state is compared with the mark of a shorter
// trajectory and kept as the mark; `same` says whether they agree.
template <class Watch>
__device__ __forceinline__ void by_threads(TRAVEL, KEEP, Watch watch)
{
    extern __shared__ double scratch[];
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    i64 q = slots[i];
    Table service = SERVICE, arrival = ARRIVAL;
    int threads = blockDim.x;
    Stack runs = Stack{scratch + threadIdx.x, (int *)(scratch + room * threads) + threadIdx.x, threads};
    Clock c = load_clock(clock, level, q);
    times += q * across;
    counts += q * across;
    for (int k = 0; k < c.n; k++) {
        runs.times[k * threads] = times[k * along];
        runs.counts[k * threads] = counts[k * along];
    }
    watch.start(i, count);
    journey(c, runs, service, arrival, seed, base + (u64)q, block, first, jobs, step, watch);
    if (mark_times != nullptr) {
        if (((first + step * jobs) & (block - 1)) == 0)
            rebase(c, runs);
        Mark mark = mark_at(mark_times, mark_counts, mark_length, mark_along, mark_across, q, true);
        settle(c, runs, mark);
        same[i] = mark.same && mark.length == mark.kept;
        mark_length[q] = mark.length;
    }
    for (int k = 0; k < c.n; k++) {
        times[k * along] = runs.times[k * threads];
        counts[k * along] = runs.counts[k * threads];
    }
    store_clock(c, clock, level, q);
}

// The same with a warp for each sample; runs begin 31 places into a slot's room, so that the children of a run share lines.
template <class Watch>
__device__ __forceinline__ void by_warps(TRAVEL, KEEP, Watch watch)
{
    i64 i = ((i64)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (i >= count)
        return;
    i64 q = slots[i];
    Table service = SERVICE, arrival = ARRIVAL;
    Clock c = load_clock(clock, level, q);
    Heap runs = Heap{times + q * across + 31, counts + q * across + 31, LIMIT, (int)(threadIdx.x & 31)};
    if (c.n > 0)
        runs.top = runs.times[0];
    __syncwarp();
    watch.start(i, count);
    journey(c, runs, service, arrival, seed, base + (u64)q, block, first, jobs, step, watch);
    if (mark_times != nullptr) {
        if (((first + step * jobs) & (block - 1)) == 0)
            rebase(c, runs);
        Mark mark = mark_at(mark_times, mark_counts, mark_length, mark_along, mark_across, q, runs.lane == 0);
        settle(c, runs, mark);
        if (runs.lane == 0) {
            same[i] = mark.same && mark.length == mark.kept;
            mark_length[q] = mark.length;
        }
    }
    if (runs.lane == 0)
        store_clock(c, clock, level, q);
}

#define LAWS_GIVEN                                                                                                     \
    s_entries, s_thresholds, s_aliases, s_needs, s_classes, s_kinds, s_parameters, s_used, a_entries, a_thresholds,    \
        a_aliases, a_kinds, a_parameters, a_used, seed, base
#define TRAVEL_GIVEN                                                                                                   \
    LAWS_GIVEN, slots, count, block, first, jobs, step, clock, level, times, counts, along, across, room
#define KEEP_GIVEN mark_times, mark_counts, mark_length, mark_along, mark_across, same

extern "C" __global__ void __launch_bounds__(128) travel_threads(TRAVEL, KEEP)
{
    by_threads(TRAVEL_GIVEN, KEEP_GIVEN, Nothing());
}

extern "C" __global__ void __launch_bounds__(128) travel_warps(TRAVEL, KEEP)
{
    by_warps(TRAVEL_GIVEN, KEEP_GIVEN, Nothing());
}

extern "C" __global__ void __launch_bounds__(128) trace_threads(TRAVEL, KEEP, TRACE)
{
    by_threads(TRAVEL_GIVEN, KEEP_GIVEN, Trace{wait, idle, 0});
}

extern "C" __global__ void __launch_bounds__(128) trace_warps(TRAVEL, KEEP, TRACE)
{
    by_warps(TRAVEL_GIVEN, KEEP_GIVEN, Trace{wait, idle, 0});
}

// Forward runs; sample k counts waits in section k mod `sections`.
#define FORWARD                                                                                                        \
    LAWS, const i64 *slots, i64 count, i64 block, i64 first, i64 jobs, double *clock, i64 *level, double *times,       \
        int *counts, i64 along, i64 across, i64 room, double *sums, u64 *histograms, i64 sections, i64 classes,        \
        i64 skip, i64 bins, i64 shift, i64 low
#define FORWARD_GIVEN                                                                                                  \
    LAWS_GIVEN, slots, count, block, first, jobs, 1, clock, level, times, counts, along, across, room, nullptr,        \
        nullptr, nullptr, 0, 0, nullptr

__device__ __forceinline__ Sums sums_at(
    double *sums, u64 *histograms, u64 section, i64 classes, i64 skip, i64 bins, i64 shift, i64 low)
{
    return Sums{sums, histograms + section * (u64)(classes * bins), skip, bins, shift, low, 0};
}

extern "C" __global__ void __launch_bounds__(128) forward_threads(FORWARD)
{
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    u64 section = (base + (u64)slots[i < count ? i : 0]) % (u64)sections;
    by_threads(FORWARD_GIVEN, sums_at(sums, histograms, section, classes, skip, bins, shift, low));
}

extern "C" __global__ void __launch_bounds__(128) forward_warps(FORWARD)
{
    i64 i = ((i64)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    u64 section = (base + (u64)slots[i < count ? i : 0]) % (u64)sections;
    by_warps(FORWARD_GIVEN, sums_at(sums, histograms, section, classes, skip, bins, shift, low));
}

#define PILE                                                                                                           \
    LAWS, const i64 *slots, i64 count, i64 block, i64 first, i64 jobs, double *clock, i64 *level, double *times,       \
        int *counts, i64 along, i64 across, i64 room, double *sums, double *rise

extern "C" __global__ void __launch_bounds__(128) pile_threads(PILE)
{
    by_threads(FORWARD_GIVEN, Piled{sums, rise, 0});
}

extern "C" __global__ void __launch_bounds__(128) pile_warps(PILE)
{
    by_warps(FORWARD_GIVEN, Piled{sums, rise, 0});
}

// Draws alone, to be compared with the CPU's.
extern "C" __global__ void draws(LAWS, i64 first, i64 count, i64 step, i64 *need, int *cls, double *sigma, double *tau)
{
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Table service = SERVICE, arrival = ARRIVAL;
    Job job = draw(service, arrival, seed, base, (u64)(first + step * i));
    need[i] = job.need;
    cls[i] = job.cls;
    sigma[i] = job.sigma;
    tau[i] = job.tau;
}

// What is read off the workload of each slot (asymp.sample.observe.look): waits of the classes, then five more columns.
extern "C" __global__ void look(
    LAWS, const i64 *slots, i64 count, i64 classes, const i64 *order, const i64 *needs, const double *probabilities,
    const double *mark_times, const int *mark_counts, const i64 *mark_length, i64 along, i64 across, double *out,
    i64 columns)
{
    i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    i64 q = slots[i];
    Table service = SERVICE, arrival = ARRIVAL;
    Job job = draw(service, arrival, seed, base + (u64)q, 0);
    const double *times = mark_times + q * across;
    const int *counts = mark_counts + q * across;
    double tau = job.tau;
    double mean = 0.0, second = 0.0, idle = 0.0, printed13 = 0.0;
    double total = 0.0, cut = 0.0, wait = 0.0;
    i64 run = -1, seen = 0;
    double *row = out + i * columns;
    for (i64 k = 0; k < classes; k++) {
        while (seen < needs[k]) {
            run++;
            wait = times[run * along];
            double servers = (double)counts[run * along];
            total += servers * wait;
            cut += servers * (wait < tau ? wait : tau);
            seen += counts[run * along];
        }
        double beyond = (double)(seen - needs[k]), need = (double)needs[k], p = probabilities[k];
        row[order[k]] = wait;
        mean += p * wait;
        second += p * wait * wait;
        idle += p * (need * wait - (total - beyond * wait));
        double near = wait < tau ? wait : tau;
        printed13 += p * (need * near - (cut - beyond * near));
    }
    seen = 0;
    cut = 0.0;
    double start = 0.0;
    for (run = 0; run < mark_length[q]; run++) {
        wait = times[run * along];
        if (seen < job.need)
            start = wait;
        seen += counts[run * along];
        cut += (double)counts[run * along] * (wait < tau ? wait : tau);
    }
    double from = start < tau ? start : tau, to = start + job.sigma < tau ? start + job.sigma : tau;
    row[classes] = mean;
    row[classes + 1] = second;
    row[classes + 2] = idle;
    row[classes + 3] = printed13;
    row[classes + 4] = (double)job.need * (from - to) + (double)seen * tau - cut;
}
