/** A service in which callers see only some records of most nouns, with every way in which one record leads to another. */
import {
  api,
  boolean,
  choice,
  createdBy,
  custom,
  decimal,
  email,
  equal,
  identity,
  integer,
  link,
  noun,
  operation,
  range,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import {
  atLeast,
  before,
  type Caller,
  callerNoun,
  compute,
  filter,
  handle,
  linked,
  referencedBy,
  rule,
  type Service,
  service,
  visible,
  visibleTarget,
} from '@nomen/server'

const team = noun('team', { id: identity(), name: text(), owner: text(), isOpen: boolean() }, { label: 'name' })

const member = noun(
  'member',
  {
    id: identity(),
    login: text().unique(),
    name: text(),
    email: email().unique(),
    tenant: choice('NORTH', 'SOUTH').default('NORTH'),
    grade: choice({ JUNIOR: ['SENIOR'], SENIOR: ['JUNIOR', 'LEFT'], LEFT: [] }).default('JUNIOR'),
    salary: decimal({ precision: 9, scale: 2 }).nullable(),
    effort: integer().default(0),
    joined: timestamp().nullable(),
    team: reference(() => team),
    mentor: reference(() => member)
      .nullable()
      .clearedOnDelete(),
    author: createdBy(() => member),
  },
  { label: ['name', 'login'], computed: { heading: text() } },
)

const project = noun(
  'project',
  {
    key: identity('guid'),
    title: text(),
    code: text().unique(),
    team: reference(() => team),
    lead: reference(() => member).nullable(),
    isSecret: boolean().default(false),
  },
  { label: 'title' },
)

const skill = noun(
  'skill',
  {
    id: identity(),
    team: reference(() => team),
    name: text(),
    level: integer(),
    teacher: reference(() => member).nullable(),
  },
  { label: 'name', unique: [['team', 'name']] },
)

/** Found only below its member, so it is seen with it. */
const note = noun(
  'note',
  {
    id: identity(),
    member: reference(() => member),
    words: text(),
    about: reference(() => project)
      .nullable()
      .clearedOnDelete(),
  },
  { label: 'words' },
)

/** Every caller sees all of them, also those that point at records that the caller does not see. */
const remark = noun('remark', {
  id: identity(),
  member: reference(() => member),
  skill: reference(() => skill)
    .nullable()
    .clearedOnDelete(),
  note: reference(() => note)
    .nullable()
    .clearedOnDelete(),
  words: text(),
})

const membership = link(member, project)
const need = link(project, skill, { sharing: 'team' })

const busy = custom(boolean())
const own = custom(boolean())

const census = operation({
  method: 'GET',
  on: 'collection',
  query: { grade: member.fields.grade.nullable() },
  response: [{ team: text(), count: integer(), latest: text().nullable() }],
})
const promotion = operation({
  method: 'POST',
  on: 'record',
  body: { mentor: reference(() => member).nullable(), effort: integer() },
  response: { heading: text(), effort: integer() },
})
const staffing = operation({
  method: 'GET',
  on: 'record',
  response: [{ skill: text(), level: integer() }],
})
/** These two rely on the lookups and checks that run before a handler. */
const card = operation({ method: 'GET', on: 'record', response: { name: text(), effort: integer() } })
const greeting = operation({
  method: 'POST',
  on: 'collection',
  body: { to: reference(() => member), about: reference(() => project) },
  response: { to: integer(), about: text() },
})
const dismissal = operation({ method: 'DELETE', on: 'record', response: { remark: integer() } })

const readOnly = ['list', 'read'] as const
const withLink = ['list', 'read', 'link'] as const

const staff = api('staff', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(team, {
      search: ['name'],
      children: [
        resource(member, { list: ['id', 'name', 'team', 'mentor'], by: ['email'], offers: readOnly }),
        resource(project, { offers: readOnly, children: [resource(skill, { via: need, offers: readOnly })] }),
        resource(skill, { path: 'lesson', via: ['teacher', 'team'], offers: readOnly }),
      ],
    }),
    resource(member, {
      detail: true,
      list: ['id', 'name', 'heading'],
      by: ['email', 'login'],
      search: ['name', 'email'],
      filters: { worked: range('effort'), since: range('joined'), known: equal('name', 'login'), busy, own },
      defaultFilter: { grade: ['JUNIOR', 'SENIOR'] },
      operations: { census, promotion, card, greeting, dismissal },
      children: [
        resource(note, { paginated: false }),
        resource(member, { path: 'pupil', via: 'mentor', offers: readOnly }),
        resource(project, { via: membership, offers: withLink }),
        // A project that is not seen leads to none of its skills.
        resource(skill, { path: 'ability', via: [need, membership], offers: readOnly }),
        resource(remark, { detail: true }),
      ],
    }),
    resource(project, {
      detail: true,
      by: ['code'],
      search: ['title', 'code'],
      operations: { staffing },
      children: [
        resource(skill, { via: need, detail: true, offers: withLink }),
        resource(member, { via: membership, offers: withLink }),
      ],
    }),
    resource(skill, { detail: true, search: ['name'], pageSize: { default: 3 } }),
    resource(remark, { detail: true, offers: readOnly }),
  ],
})

/** The same records under other names, with flat writes and conditions that must be sent. */
const panel = api('panel', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(member, {
      rename: { memberRef: 'id', teamRef: 'team', mentorName: 'mentor' },
      complete: ['memberRef', 'name', 'email', 'login', 'teamRef', 'mentorName', 'effort', 'author'],
      summary: ['memberRef', 'mentorName', 'author'],
      ifMatch: 'required',
      children: [resource(remark), resource(skill, { path: 'taught', via: 'teacher' })],
    }),
    resource(skill, { display: ['team', 'teacher'], children: [resource(project, { via: need })] }),
    resource(remark),
  ],
})

const isAuditor = ({ scopes }: Caller) => scopes.includes('audit')

/** Everything but its sample, which each world brings. */
export const staffService: Service = service({
  name: 'staff',
  apis: [staff, panel],
  callers: callerNoun(member, 'login'),
  visibility: [
    visible(team, (caller) => isAuditor(caller) || { owner: caller.user ?? '' }),
    visible(
      member,
      (caller) =>
        isAuditor(caller) || [
          { tenant: caller.claims.tenant, effort: before(5) },
          { tenant: caller.claims.tenant, effort: atLeast(5) },
        ],
    ),
    visible(project, (caller) => isAuditor(caller) || { team: { owner: caller.user ?? '' } }),
    visible(project, (caller) => isAuditor(caller) || { isSecret: false }),
    visible(skill, () => ({ teacher: [visibleTarget, null] })),
  ],
  rules: [
    rule(member, ['effort'], ({ effort }) =>
      effort > 90 ? { field: 'effort', detail: `Nobody works ${effort} hours.` } : undefined,
    ),
  ],
  computed: [
    compute(member, 'heading', ['id', 'name', 'mentor'], (fields) => `${fields.id} ${fields.name} ${fields.mentor}`),
  ],
  filters: [
    filter(member, busy, (isBusy) =>
      isBusy
        ? // Of mentors and projects that are hidden, nothing may be found out.
          [{ effort: atLeast(5) }, { mentor: { effort: atLeast(5) } }, { id: linked(membership, project, true) }]
        : [{ effort: [0, 1, 2, 3, 4] }, { salary: null }, { id: referencedBy(skill, 'teacher', { level: before(2) }) }],
    ),
    filter(member, own, (isOwn, { record }) => (typeof record === 'number' && isOwn ? { mentor: record } : true)),
  ],
  handlers: [
    handle(member, census, async ({ query: { grade }, call }) => {
      const { team: teams, member: members } = call(staff)
      const { results } = await teams.list({ pageSize: 100 })
      return Promise.all(
        results.map(async ({ id, name }) => {
          const page = await members.list({ team: id, ...(grade && { grade }), sort: '-id', pageSize: 1 })
          return { team: name, count: page.pageInfo.numberOfRecords, latest: page.results[0]?.name ?? null }
        }),
      )
    }),
    handle(member, promotion, ({ key, body, transaction }) =>
      transaction(async (call) => {
        const { member: members } = call(staff)
        const { heading } = await members.update(key, { mentor: body.mentor })
        const { effort } = await members.update(key, { effort: body.effort })
        return { heading, effort }
      }),
    ),
    handle(member, card, ({ record: { name, effort } }) => ({ name, effort })),
    handle(member, greeting, ({ body }) => body),
    handle(member, dismissal, async ({ key, transaction }) => {
      const remark = await transaction(async (call) => {
        const { remark: remarks, member: members } = call(staff)
        const { results } = await remarks.list({ member: key, pageSize: 100 })
        for (const { id } of results) await members.of(key).remark.delete(id)
        await members.delete(key)
        return results.length
      })
      return { remark }
    }),
    handle(project, staffing, async ({ key, call }) => {
      const { results } = await call(staff).project.of(key).skill.list({ pageSize: 100, sort: 'name' })
      return results.map(({ name, level }) => ({ skill: name, level }))
    }),
  ],
})
