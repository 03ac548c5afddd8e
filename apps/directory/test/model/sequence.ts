/** Sequences of commands, and how a failing one becomes short: commands are left out, then those left made simpler. */
import fc from 'fast-check'
import { type Command, command } from './command.ts'

/** How far the shrinking has come; it goes on from there, because what was tried before will hardly help now. */
interface Progress {
  /** How many commands are left out at a time; 0 while they are made simpler, and one by one once more after that. */
  size: number
  at: number
}

/** `growth` is how much more often records are created than deleted; `failedAt` is told where a run came to an end. */
export class Sequence extends fc.Arbitrary<Command[]> {
  readonly failedAt = new WeakMap<Command[], number>()
  readonly #inner: fc.Arbitrary<Command[]>

  constructor(growth: number, maxLength: number) {
    super()
    this.#inner = fc.array(command(growth), { minLength: 1, maxLength, size: 'max' })
  }

  override generate(random: fc.Random): fc.Value<Command[]> {
    return new fc.Value(this.#inner.generate(random, undefined).value, undefined)
  }

  override canShrinkWithoutContext(_value: unknown): _value is Command[] {
    return false
  }

  override shrink(commands: Command[], context: unknown): fc.Stream<fc.Value<Command[]>> {
    return fc.stream(this.#shorter(commands, context as Progress | undefined))
  }

  *#shorter(commands: Command[], progress: Progress | undefined): IterableIterator<fc.Value<Command[]>> {
    const end = (this.failedAt.get(commands) ?? commands.length) + 1
    if (end < commands.length) yield new fc.Value(commands.slice(0, end), undefined)
    let { size, at } = progress ?? { size: Math.ceil(commands.length / 2), at: 0 }
    for (; size > 0; size = Math.floor(size / 2), at = 0) {
      for (; at < commands.length; at += size) yield new fc.Value(commands.toSpliced(at, size), { size, at })
    }
    for (; size === 0 && at < commands.length; at += 1) {
      for (const one of simpler(commands[at] as Command)) yield new fc.Value(commands.with(at, one), { size, at })
    }
    for (at = size === 0 ? 0 : at; at < commands.length; at += 1) {
      yield new fc.Value(commands.toSpliced(at, 1), { size: -1, at })
    }
  }
}

/** The plainest of each set of words that a command may hold. */
const plainest: Record<string, string> = {
  condition: 'none',
  form: 'object',
  type: 'json',
  identity: 'none',
  parent: 'none',
  change: 'none',
  member: 'member',
  any: 'member',
  missing: 'member',
  padded: 'member',
  odd: 'member',
  record: 'pool',
  recased: 'pool',
  bad: 'pool',
}

/** All ways to make a command simpler in one place. */
function simpler<Plan extends object>(plan: Plan): Plan[] {
  return Object.entries(plan).flatMap(([name, value]) =>
    name === 'collection' ? [] : simplerValues(plan, name, value).map((one) => ({ ...plan, [name]: one })),
  )
}

function simplerValues(plan: object, name: string, value: unknown): unknown[] {
  if (name === 'key' || name === 'dropped') return value === undefined ? [] : [undefined]
  if (Array.isArray(value)) {
    // The parts of a query can go; a path needs its identities and a body a choice for each property.
    const canGo =
      name === 'query' ||
      (value.length > 1 && 'kind' in plan && ['filter', 'search', 'include'].includes(`${plan.kind}`))
    const shorter = canGo ? value.map((_, index) => value.toSpliced(index, 1)) : []
    return [...shorter, ...value.flatMap((one, index) => simpler(one).map((other) => value.with(index, other)))]
  }
  if (typeof value === 'object' && value !== null) return simpler(value)
  const plain =
    typeof value === 'number' ? 0 : typeof value === 'boolean' ? false : plainest[name === 'from' ? `${value}` : name]
  return plain === undefined || plain === value ? [] : [plain]
}
