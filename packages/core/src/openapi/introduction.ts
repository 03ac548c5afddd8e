/** The introduction of an API reference: the common behavior of all operations of an api. */
import { etagKinds } from '../operation/kind.ts'
import type { Operation } from '../operation/operation.ts'
import { introductionHeading } from './read/introduction.ts'

/** Describes paging, filters, errors, ETags and retries, as far as the operations have them. */
export function introductionOf(table: readonly Operation[]): string {
  const lists = table.flatMap(({ list }) => list ?? [])
  const paragraphs: readonly (readonly [isUsed: boolean, text: string])[] = [
    [
      lists.some(({ isPaginated }) => isPaginated),
      '**Pages.** A list returns `pageInfo` and `results`. Use `pageNumber` and `pageSize` to get other pages; `pageInfo.numberOfRecords` is the exact total.',
    ],
    [
      lists.length > 0,
      '**Filters.** A parameter with the name of a property selects records with this value. Repeat it to select any of several values. `sort=-created` sorts in descending order. Unknown parameters are rejected with 400.',
    ],
    [
      true,
      '**Errors.** They are problem documents (RFC 9457, `application/problem+json`). `code` is stable, `detail` says what happened, `hint` what to do, and `errors` lists each invalid property.',
    ],
    [
      table.some(({ kind }) => etagKinds.includes(kind)),
      '**ETags.** A single record has an `ETag`. Send it as `If-Match` with a change: if somebody else has changed the record since, the response is 412 and nothing is overwritten. Send it as `If-None-Match` with a read to get 304 if nothing has changed.',
    ],
    [
      table.some(({ kind }) => kind === 'create'),
      '**Retries.** A `POST` with an `Idempotency-Key` can be repeated: the second request returns the first response and creates nothing.',
    ],
    [
      true,
      '**Request IDs.** Every response has an `X-Request-Id`. Include it when you report a problem. Give your client a `User-Agent`, so that its calls can be counted.',
    ],
  ]
  return [introductionHeading, ...paragraphs.flatMap(([isUsed, text]) => (isUsed ? [text] : []))].join('\n\n')
}
