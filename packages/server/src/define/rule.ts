/** Validation rules, which are checked before every write. */
import { type AnyLink, type AnyNoun, DeclarationError, type IdentityOf, type Link, type RecordOf } from '@nomen/core'
import { quoted } from '../foundation/quoted.ts'
import type { Breach } from '../store/outcome.ts'
import type { Check, Values } from '../store/plan.ts'
import { hasPromise, isAsync } from './synchronous.ts'
import type { WriteContext } from './write-context.ts'

/** A validation rule, declared by `rule`. */
export type Rule = NounRule | LinkRule

interface CheckedRule {
  /** Whether it is an async function, which may read other records. */
  readonly isAsync: boolean
  readonly check: (
    next: Values,
    previous: Values | undefined,
    context: WriteContext,
  ) => Breach | undefined | Promise<Breach | undefined>
}

export interface NounRule extends CheckedRule {
  readonly noun: AnyNoun
  /** The fields that it sees; absent if it sees all of them. */
  readonly fields?: readonly string[]
}

/** Its `next` is the pair of identities, by the names of the nouns. */
export interface LinkRule extends CheckedRule {
  readonly link: AnyLink
  readonly on: 'link' | 'unlink'
}

type RuleResult<Record> = (Breach & { readonly field?: keyof Record & string }) | undefined

type RuleFunction<Record> = (
  next: Record,
  previous: Record | undefined,
  context: WriteContext,
) => RuleResult<Record> | Promise<RuleResult<Record>>

/** The identities of two linked records, by the names of their nouns. */
type PairOf<A extends AnyNoun, B extends AnyNoun> = { readonly [Name in A['name']]: IdentityOf<A> } & {
  readonly [Name in B['name']]: IdentityOf<B>
}

type LinkResult = (Breach & { readonly field?: never }) | undefined

/**
 * Adds a validation rule to a noun or a link. The function gets the record as it would be stored, the previous record
 * (undefined for a new one), and the context with the caller. To reject the write, return an object with a `detail`: the
 * response is 422.
 *
 * A rule with a list of fields runs only when one of them is written. An `async` rule may read other records: `read` runs in
 * the transaction of the write, so that concurrent requests cannot break the rule together.
 *
 * @example
 * ```ts
 * rule(user, ['id', 'supervisor'], ({ id, supervisor }) =>
 *   supervisor === id ? { field: 'supervisor', detail: 'Users cannot supervise themselves.' } : undefined,
 * )
 * ```
 *
 * @example
 * ```ts
 * rule(loan, ['member', 'status'], async (next, previous, { read }) => {
 *   const isCounted = previous?.status === 'OPEN' && previous.member === next.member
 *   if (next.status !== 'OPEN' || isCounted) return undefined
 *   const open = await read(loan).count({ member: next.member, status: 'OPEN' })
 *   return open < 5 ? undefined : { field: 'member', detail: `Member ${next.member} already has 5 open loans.` }
 * })
 * ```
 *
 * The rule of a link gets the identities of the two records. It runs before they are linked; with `{ on: 'unlink' }`, before the
 * link is removed.
 *
 * @example
 * ```ts
 * rule(userRole, async (pair, { read }) => {
 *   const count = await read(role).count({ id: linked(userRole, user, { id: pair.user }) })
 *   return count < 3 ? undefined : { detail: `User ${pair.user} already has ${count} roles.` }
 * })
 * ```
 *
 * @throws DeclarationError if the noun does not have one of the fields.
 */
export function rule<A extends AnyNoun, B extends AnyNoun>(
  link: Link<A, B>,
  check: (pair: PairOf<A, B>, context: WriteContext) => LinkResult | Promise<LinkResult>,
  options?: { readonly on?: 'link' | 'unlink' },
): Rule
export function rule<N extends AnyNoun>(noun: N, check: RuleFunction<RecordOf<N>>): Rule
export function rule<N extends AnyNoun, const F extends keyof RecordOf<N> & string>(
  noun: N,
  fields: readonly F[],
  check: RuleFunction<Pick<RecordOf<N>, F>>,
): Rule
export function rule(subject: AnyNoun | AnyLink, ...args: readonly unknown[]): Rule {
  return 'nouns' in subject ? linkRule(subject, args as LinkRuleArguments) : nounRule(subject, args)
}

function linkRule(link: AnyLink, [run, { on = 'link' } = {}]: LinkRuleArguments): LinkRule {
  return { link, on, isAsync: isAsync(run), check: (pair, _, context) => run(pair, context) }
}

type LinkRuleArguments = readonly [
  check: (pair: Values, context: WriteContext) => Breach | undefined | Promise<Breach | undefined>,
  options?: { readonly on?: 'link' | 'unlink' },
]

function nounRule(noun: AnyNoun, args: readonly unknown[]): NounRule {
  const check = args.at(-1) as NounRule['check']
  const base = { noun, check, isAsync: isAsync(check) }
  if (args.length === 1) return base
  const fields = args[0] as readonly string[]
  const unknown = fields.find((field) => !Object.hasOwn(noun.fields, field))
  if (unknown === undefined) return { ...base, fields }
  const fieldNames = Object.keys(noun.fields).join(', ')
  throw new DeclarationError(
    `noun "${noun.name}"`,
    `a rule reads the unknown field "${unknown}".`,
    `use one of ${fieldNames}.`,
  )
}

/** The rules that must be checked if some fields are written. */
export function rulesFor(rules: readonly NounRule[], writtenValues: object): readonly NounRule[] {
  return rules.filter(({ fields }) => !fields || fields.some((field) => field in writtenValues))
}

/** Checks rules that are not async, in their order, until one is broken. Undefined if there are none. */
export function synchronousCheck(rules: readonly Rule[], context: WriteContext): Check | undefined {
  if (rules.length === 0) return undefined
  return (next, previous) => {
    for (const rule of rules) {
      const breach = rule.check(next, previous, context)
      if (breach) return checkBreach(breach, rule)
    }
    return undefined
  }
}

/** Checks rules, async ones too, in their order, until one is broken. */
export async function firstBreach(
  rules: readonly Rule[],
  next: Values,
  previous: Values | undefined,
  context: WriteContext,
): Promise<Breach | undefined> {
  for (const rule of rules) {
    const result = rule.check(next, previous, context)
    const breach = rule.isAsync ? await result : result
    if (breach) return checkBreach(breach, rule)
  }
  return undefined
}

/** If a rule returns anything else, the response is 500 and the reason is logged. */
function checkBreach(breach: Breach | Promise<Breach | undefined>, rule: Rule): Breach {
  const { name } = 'noun' in rule ? rule.noun : rule.link
  if (hasPromise(breach)) throw new Error(`A rule of "${name}" returned a promise. Declare its function with async.`)
  const { detail } = breach as Breach
  if (typeof detail === 'string') return breach as Breach
  throw new Error(`A rule of "${name}" returned ${quoted(breach)}. Return { detail: 'The reason.' }, or undefined.`)
}
