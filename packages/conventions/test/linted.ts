/** Lints a document of a test in a separate file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LintOptions, type LintReport, lintDocument } from '../src/index.ts'

/** A folder with these files, which is deleted after the test. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'nomen-lint-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

export function linted(document: unknown, options?: LintOptions): Promise<LintReport> {
  const text = typeof document === 'string' ? document : JSON.stringify(document, null, 2)
  return lintDocument(join(folder({ 'openapi.yaml': text }), 'openapi.yaml'), options)
}
