/**
 * The differences between two worlds that the design admits, each as narrow as possible: a constraint of the database
 * holds for hidden records as well, and its rejection says that one is in the way and nothing else (docs/authorization.md,
 * "What it means").
 */
import type { Operation } from '@nomen/core'
import type { Request } from './requests.ts'
import type { NounName, Row, Side, Worlds } from './worlds.ts'

export interface ComparedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

interface Problem {
  readonly code: string
  readonly detail: string
}

/** Whether a problem is this rejection because of a hidden record, with exactly the expected text. */
type Rejection = (problem: Problem, operation: Operation, request: Request, hidden: Hidden) => boolean

/** The hidden records of a noun in the world that rejects. */
type Hidden = (noun: string) => readonly Row[]

const rejections: Readonly<Record<string, Rejection>> = {
  // "a unique value that is taken: 409, with the value that was sent and nothing else, whether the other record is seen or not"
  'a unique value that a hidden record has': ({ code, detail }, operation, { body = {} }, hidden) => {
    const { noun } = operation.shape
    const properties = operation.body?.properties ?? []
    const named = (field: string) => properties.find((property) => property.field === field)?.name ?? field
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
    return code === 'value-taken' && expected.some((value) => detail === `Another ${noun.name} has ${value}.`)
  },
  // "a delete that other records prevent: 409; counts and names those that are seen, else only says that there are some"
  'a delete that hidden records prevent': ({ code, detail }, { shape }) =>
    code === 'still-referenced' && detail === `Records that you cannot see reference this ${shape.noun.name}.`,
  // "a change of what linked records share: 422; counts those that are seen, else only says that there are some"
  'a change of what hidden linked records share': ({ code, detail }, { shape }) =>
    code === 'rule-broken' &&
    detail ===
      `The team cannot change: the ${shape.noun.name} is linked to records that you cannot see, and linked records must have the same team.`,
}

/** Why two responses may differ: one of them is such a rejection, and the other is a rejection too or a success. */
export function admittedDifference(
  operation: Operation,
  request: Request,
  responses: Readonly<Record<Side, ComparedResponse>>,
  worlds: Worlds,
): string | undefined {
  const reasons = (['A', 'B'] as const).map((side) => {
    const { status, text } = responses[side]
    if (status < 300) return 'done'
    const hidden: Hidden = (noun) =>
      worlds[side].rows[noun as NounName].filter((row) => !worlds.isVisible(noun as NounName, row))
    const problem = JSON.parse(text) as Problem
    return Object.keys(rejections).find((reason) => rejections[reason]?.(problem, operation, request, hidden))
  })
  if (reasons.includes(undefined)) return undefined
  return reasons.find((reason) => reason !== 'done')
}
