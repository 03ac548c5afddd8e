/** The explanations of the rules on references and exceptions in a document. */
import { bare, record } from './example.ts'
import type { Explanation } from './explanation.ts'

export const documentExplanations = {
  'hidden-reference': {
    text:
      'A declared reference has a target that no resource of the service offers, so that clients get an ID that they cannot ' +
      "read. Add a resource for the noun, for example with `offers: ['list', 'read']`. The rule checks only declarations.",
    bad: record('/loan/{id}', 'id: {}, book: { type: integer }'),
    good: `${record('/loan/{id}', 'id: {}, book: { type: integer }')}
${record('/book/{id}', 'id: {}, title: {}')}`,
  },
  'unresolved-reference': {
    text: 'Every `$ref` must have a target. Tools, and the linter, cannot check the missing part.',
    bad: `/user:
  get:
    responses: { '200': { $ref: '#/components/responses/users' } }`,
    good: `/user:
  get:
    responses: { '200': { description: users, in pages } }`,
  },
  'invalid-ignore': {
    text: 'An exception has the code of a rule, and a reason.',
    bad: `/users:
  x-nomen-ignore: [{ code: plural-path-segment }]
  get: …`,
    good: `/users:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
  },
  'unused-ignore': {
    text: 'Remove exceptions that are no longer needed, so that they do not hide new violations.',
    bad: `/user:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
    good: bare('/user'),
  },
} as const satisfies Readonly<Record<string, Explanation>>
