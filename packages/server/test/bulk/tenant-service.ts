/** A service with tenants, to load into. */
import { type AnyNoun, createdBy, identity, link, noun, reference, resource, tenant, text } from '@nomen/core'
import { assign, rule, type Service, service } from '@nomen/server'
import { plainApi } from '../test-service.ts'

const country = noun('country', { id: identity(), name: text() })
const team = noun('team', { key: identity('guid').column('team_key'), org: tenant().column('org_name'), name: text() })
const member: AnyNoun = noun(
  'member',
  {
    id: identity().column('member_id'),
    tenant: tenant().column('tenant_name'),
    name: text(),
    team: reference(() => team)
      .nullable()
      .column('team_id'),
    mentor: reference(() => member)
      .nullable()
      .column('mentor_id'),
    buddy: reference(() => member).nullable(),
    country: reference(() => country).nullable(),
    author: createdBy(() => member),
  },
  { table: 'people', unique: [['name']] },
)
const skill = noun('skill', { id: identity(), tenant: tenant(), name: text() })
const desk = noun('desk', { id: identity(), tenant: tenant(), name: text(), team: reference(() => team).managed() })
/** New desks belong to team 1, also in tenants that do not have this team. */
const firstTeam = assign(desk, ['team'], (_, previous) => (previous ? {} : { team: teamKey(1) }))
const memberSkill = link(member, skill)
const memberCountry = link(member, country)

interface Variant {
  /** Whether rules read other records, so that each row has its own transaction. */
  readonly hasAsyncRules?: boolean
}

export function tenantService({ hasAsyncRules = false }: Variant = {}): Service {
  const children = [resource(skill, { via: memberSkill }), resource(country, { via: memberCountry })]
  return service({
    name: 'test',
    apis: [
      plainApi(resource(country), resource(team), resource(member, { children }), resource(skill), resource(desk)),
    ],
    tenant: { claim: 'tenant', shared: [country] },
    rules: hasAsyncRules ? [rule(member, async () => undefined), rule(memberSkill, async () => undefined)] : [],
    assignments: [firstTeam],
  })
}

/** The key of the team with this number. */
export function teamKey(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`
}
