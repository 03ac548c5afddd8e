/** The explanations of the rules on references and exceptions in a document. */
import { bare, record } from './example.ts'
import type { Explanation } from './explanation.ts'

export const documentExplanations = {
  'hidden-reference': {
    text:
      'Otherwise, clients get the ID of a record, but no operation of the service returns the record. Add a resource for the ' +
      "noun, for example with `offers: ['list', 'read']`. The rule checks only declarations.",
    bad: record('/loan/{id}', 'id: {}, book: { type: integer }'),
    good: `${record('/loan/{id}', 'id: {}, book: { type: integer }')}
${record('/book/{id}', 'id: {}, title: {}')}`,
  },
  'unresolved-reference': {
    text: 'The linter and other tools cannot check a part of the document that is missing.',
    bad: `/user:
  get:
    responses: { '200': { $ref: '#/components/responses/users' } }`,
    good: `/user:
  get:
    responses: { '200': { description: users, in pages } }`,
  },
  'invalid-ignore': {
    text: 'The reason lets readers decide later whether the exception is still justified.',
    bad: `/users:
  x-nomen-ignore: [{ code: plural-path-segment }]
  get: …`,
    good: `/users:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
  },
  'unused-ignore': {
    text: 'An exception that is no longer needed could hide a new violation. Remove it.',
    bad: `/user:
  x-nomen-ignore: [{ code: plural-path-segment, reason: Older than the conventions. }]
  get: …`,
    good: bare('/user'),
  },
} as const satisfies Readonly<Record<string, Explanation>>
