import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rules } from '../src/index.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

describe('the documents of the rules', () => {
  it('explain each rule, in the order of the rules, with its severity', () => {
    const text = page('conventions.md')
    const section = text.slice(text.indexOf('## What the lint checks'), text.indexOf('## Every rule and its test'))
    const explained = [...section.matchAll(/^### (\S+)\n\n(Error|Warning)\. /gm)].map(([, code, severity]) => [
      code,
      severity?.toLowerCase(),
    ])
    expect(explained).toEqual(rules.map(({ code, severity }) => [code, severity]))
  })

  it('list each rule with its convention', () => {
    const listed = page('lint.md').match(/^\| \[`.*$/gm)
    expect(listed).toEqual(
      rules.map(({ code, severity, about }) => `| [\`${code}\`](conventions.md#${code}) | ${severity} | ${about} |`),
    )
  })
})
