import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { folderQuestion, projectQuestions } from './project-question.ts'
import { ask, type Question } from './question.ts'

/** The answers to the questions if somebody types these lines. */
async function typed(questions: readonly Question[], ...lines: readonly string[]) {
  const input = new PassThrough()
  input.end(lines.map((line) => `${line}\n`).join(''))
  return ask({ input, output: new PassThrough() }, questions)
}

const [name, noun] = projectQuestions('shop') as unknown as [Question, Question]

it.each([
  ['Orders', 'order'],
  ['order items', 'order-item'],
  ['LineItem', 'line-item'],
])('Enter accepts the noun that is suggested for %s', async (answer, suggestion) => {
  expect(await typed([noun], answer, '')).toEqual([suggestion])
})

it('Enter after a noun that cannot be used is the default', async () => {
  expect(await typed([noun], '42', '')).toEqual(['item'])
})

it('Enter accepts the name of a service that is suggested', async () => {
  expect(await typed([name], 'My Shop', '')).toEqual(['my-shop'])
})

it('asks for a folder until one can be used', async () => {
  const used = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(used, { recursive: true, force: true }))
  writeFileSync(join(used, 'notes.txt'), 'mine')
  expect(await typed([folderQuestion], used, join(used, 'desk'))).toEqual([join(used, 'desk')])
})
