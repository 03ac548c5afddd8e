/** Random sequences of commands. Shrinking removes commands from a failing sequence, then simplifies the others. */
import fc from 'fast-check'
import { type Command, command } from './command.ts'

/** The position of the shrinking. It continues there, because earlier attempts are unlikely to succeed now. */
interface ShrinkProgress {
  /** The number of commands to remove at a time; 0 while simplifying commands; -1 while removing single commands again. */
  size: number
  index: number
}

/** `growth` is the ratio of creates to deletes. `failedStep` stores the index of the command at which a run failed. */
export class Sequence extends fc.Arbitrary<Command[]> {
  readonly failedStep = new WeakMap<Command[], number>()
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
    return fc.stream(this.#shrinkSteps(commands, context as ShrinkProgress | undefined))
  }

  *#shrinkSteps(commands: Command[], progress: ShrinkProgress | undefined): IterableIterator<fc.Value<Command[]>> {
    const end = (this.failedStep.get(commands) ?? commands.length) + 1
    if (end < commands.length) yield new fc.Value(commands.slice(0, end), undefined)
    let { size, index } = progress ?? { size: Math.ceil(commands.length / 2), index: 0 }
    for (; size > 0; size = Math.floor(size / 2), index = 0) {
      for (; index < commands.length; index += size)
        yield new fc.Value(commands.toSpliced(index, size), { size, index })
    }
    for (; size === 0 && index < commands.length; index += 1) {
      for (const command of simplerPlans(commands[index] as Command))
        yield new fc.Value(commands.with(index, command), { size, index })
    }
    for (index = size === 0 ? 0 : index; index < commands.length; index += 1) {
      yield new fc.Value(commands.toSpliced(index, 1), { size: -1, index })
    }
  }
}

/** The simplest value of each property of a command. For `from`, the keys are its values. */
const simplestValues: Record<string, string> = {
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

/** All variants of a plan with one property simplified. */
function simplerPlans<Plan extends object>(plan: Plan): Plan[] {
  return Object.entries(plan).flatMap(([name, value]) =>
    name === 'collection'
      ? []
      : simplerValues(plan, name, value).map((simplerValue) => ({ ...plan, [name]: simplerValue })),
  )
}

function simplerValues(plan: object, name: string, value: unknown): unknown[] {
  if (name === 'key' || name === 'omittedProperty') return value === undefined ? [] : [undefined]
  if (Array.isArray(value)) {
    // The parts of a query can be removed; a path needs its IDs, and a body needs a choice for each property.
    const canBeRemoved =
      name === 'query' ||
      (value.length > 1 && 'kind' in plan && ['filter', 'search', 'include'].includes(`${plan.kind}`))
    const shorterArrays = canBeRemoved ? value.map((_, index) => value.toSpliced(index, 1)) : []
    return [
      ...shorterArrays,
      ...value.flatMap((element, index) =>
        simplerPlans(element).map((simplerElement) => value.with(index, simplerElement)),
      ),
    ]
  }
  if (typeof value === 'object' && value !== null) return simplerPlans(value)
  const simplest =
    typeof value === 'number'
      ? 0
      : typeof value === 'boolean'
        ? false
        : simplestValues[name === 'from' ? `${value}` : name]
  return simplest === undefined || simplest === value ? [] : [simplest]
}
