// CUDA's words for a C++ compiler on the host, so that the text of a kernel runs where no GPU is.
//
// A block's threads are coroutines.  They run one after another up to the next warp-wide operation, which waits for
// all lanes of the warp; lanes are taken in an order that the caller turns around, so that a missing barrier shows.  A lane that
// meets another operation than its warp, or that has left, ends the program: what a GPU leaves undefined is an error here.

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <utility>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__
#define __launch_bounds__(...)

struct Place {
    unsigned x, y, z;
};

namespace host {
const int WARP = 32, MOST_THREADS = 1024, STACK = 1 << 16;

struct Lane {
    ucontext_t context;
    jmp_buf going_on;
    Place at;
    bool begun, left;
    int operations, what[2];
    unsigned long long value[2];
    char *stack;
};

inline Lane lanes[MOST_THREADS];
inline Place block, blocks, block_size;
inline int current, threads, reversed;
inline jmp_buf scheduler;
inline void (*kernel)(const long long *);
inline const long long *arguments;

inline void fail(const char *why)
{
    fprintf(stderr, "cuda_on_host: %s (block %u, thread %d)\n", why, block.x, current);
    abort();
}

inline void body()
{
    kernel(arguments);
    lanes[current].left = true;
    _longjmp(scheduler, 1);
}

// The current lane runs up to where it waits or leaves.  ucontext gives it a stack; _setjmp switches ten times faster.
__attribute__((noinline)) inline void enter()
{
    Lane &lane = lanes[current];
    if (_setjmp(scheduler) != 0)
        return;
    if (lane.begun)
        _longjmp(lane.going_on, 1);
    lane.begun = true;
    setcontext(&lane.context);
}

// All lanes of the warp give a value and then see each other's.  Two buffers: no lane can be two operations ahead.
inline const Lane *exchange(int what, unsigned long long value, int &buffer)
{
    Lane &mine = lanes[current];
    buffer = mine.operations & 1;
    mine.what[buffer] = what;
    mine.value[buffer] = value;
    mine.operations++;
    int me = current;
    if (_setjmp(mine.going_on) == 0)
        _longjmp(scheduler, 1);
    const Lane *warp = lanes + me / WARP * WARP;
    for (int k = 0; k < WARP; k++)
        if (warp[k].operations < mine.operations || warp[k].what[buffer] != what)
            fail("the lanes of a warp do not meet");
    return warp;
}

template <class T>
inline T at_lane(int what, T value, int lane)
{
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    int buffer;
    const Lane *warp = exchange(what, bits, buffer);
    memcpy(&value, &warp[lane & (WARP - 1)].value[buffer], sizeof value);
    return value;
}

inline void whole(unsigned mask)
{
    if (mask != 0xFFFFFFFFu)
        fail("a mask of part of a warp");
}

inline void run_block()
{
    for (int k = 0; k < threads; k++) {
        Lane &lane = lanes[k];
        lane.at = Place{(unsigned)k, 0, 0};
        lane.begun = lane.left = false;
        lane.operations = 0;
        if (lane.stack == nullptr)
            lane.stack = (char *)malloc(STACK);
        getcontext(&lane.context);
        lane.context.uc_stack.ss_sp = lane.stack;
        lane.context.uc_stack.ss_size = STACK;
        lane.context.uc_link = nullptr;
        makecontext(&lane.context, body, 0);
    }
    for (int first = 0; first < threads; first += WARP) {
        int size = threads - first < WARP ? threads - first : WARP;
        for (bool more = true; more;) {
            more = false;
            for (int k = 0; k < size; k++) {
                current = first + (reversed ? size - 1 - k : k);
                if (!lanes[current].left) {
                    enter();
                    more = more || !lanes[current].left;
                }
            }
        }
    }
}

inline void run(void (*function)(const long long *), const long long *values, int grid, int size, int turned)
{
    kernel = function;
    arguments = values;
    threads = size;
    reversed = turned;
    blocks = Place{(unsigned)grid, 1, 1};
    block_size = Place{(unsigned)size, 1, 1};
    for (int k = 0; k < grid; k++) {
        block = Place{(unsigned)k, 0, 0};
        run_block();
    }
}
}  // namespace host

#define threadIdx (host::lanes[host::current].at)
#define blockIdx (host::block)
#define blockDim (host::block_size)
#define gridDim (host::blocks)

inline double __longlong_as_double(long long bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane)
{
    host::whole(mask);
    return host::at_lane(1, value, lane);
}

template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int step)
{
    host::whole(mask);
    return host::at_lane(2, value, (threadIdx.x & 31) ^ step);
}

inline unsigned __ballot_sync(unsigned mask, bool yes)
{
    host::whole(mask);
    int buffer;
    const host::Lane *warp = host::exchange(3, yes, buffer);
    unsigned found = 0;
    for (int k = 0; k < host::WARP; k++)
        found |= (unsigned)(warp[k].value[buffer] != 0) << k;
    return found;
}

inline void __syncwarp()
{
    int buffer;
    host::exchange(4, 0, buffer);
}

template <class T>
inline T atomicAdd(T *place, T more)
{
    T before = *place;
    *place += more;
    return before;
}

using std::floor;

alignas(128) double scratch[(256 << 10) / sizeof(double)];

// A kernel's arguments are pointers and 64-bit integers, all passed alike.
template <class... Parameters, std::size_t... Places>
inline void call(void (*kernel)(Parameters...), const long long *values, std::index_sequence<Places...>)
{
    kernel((Parameters)values[Places]...);
}

template <class... Parameters>
inline void call(void (*kernel)(Parameters...), const long long *values)
{
    call(kernel, values, std::index_sequence_for<Parameters...>());
}

template <class... Parameters>
inline int count(void (*)(Parameters...))
{
    return sizeof...(Parameters);
}

// EXPORT(name) makes host_name(arguments, how many, blocks, threads of a block, lanes turned around); 0 if they were as many as
// the kernel has, else that number.
#define EXPORT(name)                                                                                                   \
    extern "C" int host_##name(const long long *values, int given, int grid, int block, int turned)                    \
    {                                                                                                                  \
        if (given != count(name))                                                                                      \
            return count(name);                                                                                        \
        host::run([](const long long *v) { call(name, v); }, values, grid, block, turned);                             \
        return 0;                                                                                                      \
    }
