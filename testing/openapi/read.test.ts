// The reader of OpenAPI documents: its tables of a corpus, of declarations, and of documents that are not valid.
import { readOpenApi } from '@nomen/core/openapi'
import { expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { tableText } from './table-text.ts'

it.each(Object.keys(corpus))('the table of %s is the one that was reviewed', async (name) => {
  const document = await corpus[name]?.()
  await expect(tableText(readOpenApi(document))).toMatchFileSnapshot(`golden/${name}.txt`)
})
