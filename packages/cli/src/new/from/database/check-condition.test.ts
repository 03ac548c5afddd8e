import { describe, expect, it } from 'vitest'
import { choicesIn, limitIn } from './check-condition.ts'

const check = (condition: string, ...columns: string[]) => ({ name: 'check', columns, condition })

describe('the choices of a check', () => {
  it.each([
    ["(state = ANY (ARRAY['NEW'::text, 'SENT'::text]))", ['NEW', 'SENT']],
    ["((state)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[]))", ['a', "it's"]],
    ["((state)::text = ANY (ARRAY[('a'::character varying)::text, ('b'::character varying)::text]))", undefined],
    ["((state = ANY (ARRAY['NEW'::text])) OR (state ~~ 'x%'::text))", undefined],
    ["(state <> 'NEW'::text)", undefined],
    ['(state = ANY (ARRAY[1, 2]))', undefined],
  ])('are read from %s', (condition, choices) => {
    expect(choicesIn(check(condition, 'state'))).toEqual(choices)
  })

  it('are those of one column', () => {
    expect(choicesIn(check("(state = ANY (ARRAY['NEW'::text]))", 'state', 'other'))).toBeUndefined()
  })
})

describe('the limit of a check', () => {
  it.each([
    ['(lines > 0)', { min: 1 }],
    ['(lines >= 0)', { min: 0 }],
    ["(lines < '-5'::integer)", { max: -6 }],
    ['("Lines" <= 7)', { max: 7 }],
    ['(lines > 0.5)', undefined],
    ['((lines > 0) AND (lines < 9))', undefined],
    ['(lines <> 13)', undefined],
  ])('is read from %s', (condition, limit) => {
    expect(limitIn(check(condition, 'lines'))).toEqual(limit)
  })
})
