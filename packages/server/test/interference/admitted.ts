/**
 * The differences between two worlds that the design admits, each as narrow as it can be told: a constraint of the database
 * holds for hidden records as well, and its refusal says that one is in the way and nothing else (docs/authorization.md,
 * "What it means").
 */
import type { Operation } from '@nomen/core'
import type { Request } from './requests.ts'
import type { NounName, Row, Side, Worlds } from './worlds.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

interface Problem {
  readonly code: string
  readonly detail: string
}

/** A refusal of a hidden record, in the words that it must have; undefined for every other answer. */
type Refusal = (problem: Problem, operation: Operation, request: Request, hidden: Hidden) => boolean

/** The hidden records of a noun in the world that refuses. */
type Hidden = (noun: string) => readonly Row[]

const refusals: Readonly<Record<string, Refusal>> = {
  // "a unique value that is taken: 409, with the value that was sent and nothing else, whether the other record is seen or not"
  'a unique value that a hidden record has': ({ code, detail }, operation, { body = {} }, hidden) => {
    const { noun } = operation.shape
    const properties = operation.body?.properties ?? []
    const named = (field: string) => properties.find((one) => one.field === field)?.name ?? field
    const sets: readonly (readonly string[])[] = [
      ...Object.keys(noun.fields)
        .filter((field) => noun.fields[field].spec.unique)
        .map((field) => [field]),
      ...(noun.options.unique ?? []),
    ]
    const words = (row: Row) =>
      sets
        .filter((fields) => fields.some((field) => body[named(field)] === row[field]))
        .map((fields) => fields.map((field) => `${named(field)} ${JSON.stringify(row[field])}`).join(' and '))
    const expected = hidden(noun.name).flatMap(words)
    return code === 'value-taken' && expected.some((one) => detail === `Another ${noun.name} has ${one}.`)
  },
  // "a delete that others stand in the way of: 409; counts and names those that are seen, else only says that there are some"
  'a delete that hidden records stand in the way of': ({ code, detail }, { shape }) =>
    code === 'still-referenced' && detail === `Records that you do not see point at this ${shape.noun.name}.`,
  // "a change of what linked records share: 422; counts those that are seen, else only says that there are some"
  'a change of what hidden linked records share': ({ code, detail }, { shape }) =>
    code === 'rule-broken' &&
    detail === `The ${shape.noun.name} is linked with records that you do not see, and that have its present team.`,
}

/** Why two answers may differ: one of them is such a refusal, and the other one is as well, or has done what was asked. */
export function admittedDifference(
  operation: Operation,
  request: Request,
  answers: Readonly<Record<Side, Answer>>,
  worlds: Worlds,
): string | undefined {
  const reasons = (['A', 'B'] as const).map((side) => {
    const { status, text } = answers[side]
    if (status < 300) return 'done'
    const hidden: Hidden = (noun) =>
      worlds[side].rows[noun as NounName].filter((row) => !worlds.isSeen(noun as NounName, row))
    const problem = JSON.parse(text) as Problem
    return Object.keys(refusals).find((reason) => refusals[reason]?.(problem, operation, request, hidden))
  })
  if (reasons.includes(undefined)) return undefined
  return reasons.find((reason) => reason !== 'done')
}
