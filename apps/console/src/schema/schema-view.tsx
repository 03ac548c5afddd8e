/** The nouns of the service and their relations as a diagram. */
import './schema.css'
import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { text } from '../language/language.ts'
import { schemaPath } from '../model/route.ts'
import { diagramOf } from '../model/service/diagram.ts'
import type { Api } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { router, useAddress } from '../state/router.ts'
import { SchemaDiagram } from './schema-diagram.tsx'

export default function SchemaView() {
  const { service } = useConsole()
  const { query } = useAddress()
  const { schema } = text()
  const apis = service.apis.filter(({ collections }) => collections.length > 0)
  const shown: Api | undefined = apis.find(({ title }) => title === query.get('api')) ?? apis[0]
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h3">
          {text().common.schema}
        </Title>
        {apis.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={schema.api}
            value={shown?.title ?? ''}
            data={apis.map(({ title }) => title)}
            onChange={(title) =>
              router.go(`${schemaPath}?${new URLSearchParams({ api: title })}`, { replaceHistory: true })
            }
          />
        )}
      </Group>
      <Group gap="lg" className="schema-legend">
        {(['reference', 'owner', 'link'] as const).map((kind) => (
          <Group key={kind} gap={6}>
            <svg width="32" height="8" aria-hidden="true">
              <path d="M0 4h32" className={`edge ${kind}`} />
            </svg>
            <Text size="xs" c="dimmed">
              {schema.kinds[kind]}
            </Text>
          </Group>
        ))}
      </Group>
      {shown ? <SchemaDiagram diagram={diagramOf(shown)} /> : <Text size="sm">{text().overview.noLists}</Text>}
    </Stack>
  )
}
