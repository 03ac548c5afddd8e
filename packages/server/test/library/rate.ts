/** Decisions of a rate limit, in memory and with a shared store, against rate-limiter-flexible. */
import { Buckets } from '../../src/http/admit/buckets.ts'
import { localLimiter, SharedLimiter } from '../../src/http/admit/rate-limiter.ts'
import { compare, library } from './compare.ts'

type NewLimiter = new (options: object) => { consume(key: string): Promise<unknown> }
interface Flexible {
  readonly default: { readonly RateLimiterMemory: NewLimiter; readonly RateLimiterPostgres: NewLimiter }
}

const limit = { number: 6000, windowMs: 60_000 }
const keys = Array.from({ length: 1000 }, (_, index) => `user ${index}`)
const { RateLimiterMemory, RateLimiterPostgres } = (await library<Flexible>('rate-limiter-flexible')).default
const own = localLimiter(limit)
const memory = new RateLimiterMemory({ points: 6000, duration: 60 })

await compare('decisions', {
  ours() {
    for (let index = 0; index < 200_000; index++) own(keys[index % 1000] ?? '')
    return 200_000
  },
  async RateLimiterMemory() {
    for (let index = 0; index < 200_000; index++) await memory.consume(keys[index % 1000] ?? '').catch(() => {})
    return 200_000
  },
})

let statements = 0
function counted<Result>(result: Result): Result {
  statements++
  return result
}
const buckets = new Buckets(limit)
const shared = new SharedLimiter({ take: (wishes) => counted(buckets.take(wishes)) }, limit, () => {})
const rows = [{ points: 1, expire: `${Date.now() + 60_000}` }]
const storeClient = { query: async () => counted({ rowCount: 1, rows }) }
const postgres = new RateLimiterPostgres({
  storeClient,
  storeType: 'client',
  points: 6000,
  duration: 60,
  tableCreated: true,
  clearExpiredByTimeout: false,
})

/** 10,000 requests of 100 callers, 20 in each turn of the event loop. */
async function statementsOf(take: (key: string) => unknown): Promise<number> {
  statements = 0
  for (let turn = 0; turn < 500; turn++)
    await Promise.all(Array.from({ length: 20 }, (_, index) => take(keys[(turn * 20 + index) % 100] ?? '')))
  return statements
}
const counts = [await statementsOf((key) => shared.take(key)), await statementsOf((key) => postgres.consume(key))]
console.log(`\nStatements for 10,000 decisions: ours ${counts[0]}, RateLimiterPostgres ${counts[1]}.`)
