import { describe, expect, it } from 'vitest'
import { rules } from '../src/index.ts'
import { goodDocument } from './good-document.ts'
import { linted } from './linted.ts'
import { schemas, text, users } from './rule-case.ts'
import { nameCases } from './rule-case-name.ts'
import { operationCases } from './rule-case-operation.ts'

const cases = [...nameCases, ...operationCases]

describe('a rule', () => {
  it('finds nothing in a document that follows the conventions', async () => {
    const { findings, numberOfOperations } = await linted(goodDocument())
    expect(findings).toEqual([])
    expect(numberOfOperations).toBe(12)
  })

  it.each(cases.map((ruleCase) => [ruleCase.code, ruleCase.why, ruleCase] as const))(
    '%s finds %s',
    async (code, _, { breaks, messages }) => {
      const document = goodDocument()
      breaks(document)
      const { findings } = await linted(document)
      expect(findings.map((finding) => `${finding.message} ${finding.fix}`)).toEqual(messages)
      expect(new Set(findings.map((finding) => finding.code))).toEqual(new Set([code]))
      const { severity } = rules.find((rule) => rule.code === code) ?? {}
      expect(findings[0]).toMatchObject({ severity, explain: `nomen lint --explain ${code}` })
    },
  )

  it('has one fix for a name that breaks two rules', async () => {
    const document = goodDocument()
    schemas(document).User.properties.user_name = text
    users(document).parameters.push({ name: 'user_name', in: 'query', schema: { type: 'array', items: text } })
    const { findings } = await linted(document)
    expect(findings.map(({ code, fix }) => [code, fix])).toEqual([
      ['camel-case-name', 'Rename it to "name".'],
      ['camel-case-name', 'Rename it to "name".'],
      ['redundant-prefix', 'Rename it to "name".'],
    ])
  })

  it('has a test', () => {
    const tested = new Set([...cases.map(({ code }) => code), 'invalid-ignore', 'unused-ignore', 'hidden-reference'])
    expect(tested).toEqual(new Set(rules.map(({ code }) => code)))
  })
})
