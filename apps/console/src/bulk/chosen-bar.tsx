/** Floats above the end of the page while records are chosen: how many, and what can be done with all of them. */
import { Button, Group, Menu, Paper, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Chosen } from '../list/use-chosen.ts'
import { type SharedChange, sharedChanges } from '../model/record/shared-change.ts'
import type { Collection } from '../model/service/service.ts'
import { grouped } from '../model/words.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'

const ChosenDialog = lazy(() => import('./chosen-dialog.tsx'))

interface ChosenBarProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly chosen: Chosen
  /** How people call a record. */
  nameOf(id: string): string
}

export function ChosenBar({ collection, ids, chosen, nameOf }: ChosenBarProps) {
  const [meant, setMeant] = useState<SharedChange>()
  const changes = sharedChanges(collection)
  const quick = changes.filter(({ method }) => method === 'PATCH')
  const gone = changes.find(({ method }) => method === 'DELETE')
  return (
    <>
      {chosen.ids.length > 0 && (
        <Paper withBorder shadow="md" className="chosen-bar" role="region" aria-label="Chosen records">
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" fw={500} aria-live="polite" className="chosen-count">
              {grouped(chosen.ids.length)} chosen
            </Text>
            {quick.length > 0 && (
              <ButtonMenu
                position="top"
                button={
                  <Button size="xs" variant="default" rightSection={<Icon sign="up" size={12} />}>
                    Change
                  </Button>
                }
              >
                {quick.map((one) => (
                  <Menu.Item key={one.title} onClick={() => setMeant(one)}>
                    {one.title}
                  </Menu.Item>
                ))}
              </ButtonMenu>
            )}
            {gone && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon sign={gone.isGrave ? 'trash' : 'link'} size={14} />}
                onClick={() => setMeant(gone)}
              >
                {gone.title} …
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={() => chosen.set([])}>
              Clear
            </Button>
          </Group>
        </Paper>
      )}
      {meant && (
        <Suspense>
          <ChosenDialog
            collection={collection}
            ids={ids}
            chosen={chosen}
            change={meant}
            nameOf={nameOf}
            onClose={() => setMeant(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
