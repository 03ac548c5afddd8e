/** The drawer beside a page: a record with its form, and above it the records that were opened from it. */
import './drawer.css'
import { ActionIcon, Drawer, Group, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { useRecord } from '../../http/queries.ts'
import { text } from '../../language/language.ts'
import { plainTitle } from '../../model/record/label.ts'
import { type Route, routeOf } from '../../model/route.ts'
import { writeCollectionOf } from '../../model/service/relation.ts'
import { useConsole } from '../../state/console-context.ts'
import { FormLevelContext } from '../../state/form-level.ts'
import { router } from '../../state/router.ts'
import { FocusReturn } from '../../view/dialog/focus-return.tsx'
import { isOnTop } from '../../view/dialog/top-dialog.ts'
import { Icon } from '../../view/icon.tsx'
import { follow } from '../../view/link.tsx'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import { RecordDetails } from '../record-details.tsx'
import { RelatedLinks } from '../related/related-links.tsx'
import { useRecordTitle } from '../use-record-title.ts'
import { useNeighbors } from './use-neighbors.ts'

type RecordRoute = Extract<Route, { readonly kind: 'record' }>

export default function RecordDrawer({ paths }: { readonly paths: readonly string[] }) {
  const { service } = useConsole()
  const content = useRef<HTMLDivElement>(null)
  // A dialog of the form closes first.
  useWindowEvent('keydown', (event) => {
    const isTaken = (event.target as Element | null)?.getAttribute('data-mantine-stop-propagation') === 'true'
    if (event.key === 'Escape' && !event.defaultPrevented && !isTaken && isOnTop(content.current)) router.closeRecord()
  })
  const routes = paths.map((path) => routeOf(service, path))
  const top = routes.at(-1)
  const path = paths.at(-1) ?? ''
  return (
    <Drawer.Root
      opened
      onClose={router.closeRecord}
      closeOnEscape={false}
      returnFocus={false}
      position="right"
      size={720}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content ref={content} className="record-drawer">
        <FocusReturn />
        {top?.kind === 'record' ? (
          <RecordHeader key={path} route={top} path={path} level={paths.length} />
        ) : (
          <Header title={text().shell.notFoundTitle} level={paths.length} />
        )}
        <Drawer.Body>
          {routes.map((route, index) => (
            // Covered records stay, with their unsaved input.
            <div key={paths.slice(0, index + 1).join(' ')} hidden={index < paths.length - 1}>
              {route.kind === 'record' ? (
                <FormLevelContext value={{ level: index + 1, path: paths[index] as string }}>
                  <RecordPanel route={route} />
                </FormLevelContext>
              ) : (
                <Text size="sm">{text().shell.notFound(paths[index] as string)}</Text>
              )}
            </div>
          ))}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

interface HeaderProps {
  readonly title: string
  readonly subtitle?: string
  readonly level: number
  readonly children?: ReactNode
}

function Header({ title, subtitle, level, children }: HeaderProps) {
  return (
    // Not a banner landmark.
    <Drawer.Header role="presentation">
      <Group gap="xs" wrap="nowrap" miw={0}>
        {level > 1 && <Tool icon="back" label={text().record.drawerBack} onClick={router.closeRecord} />}
        <div className="drawer-title">
          <Drawer.Title>{title}</Drawer.Title>
          {subtitle !== undefined && (
            <Text size="xs" c="dimmed">
              {subtitle}
            </Text>
          )}
        </div>
      </Group>
      <Group gap={4} wrap="nowrap">
        {children}
        <Drawer.CloseButton aria-label={text().common.close} data-autofocus />
      </Group>
    </Drawer.Header>
  )
}

interface RecordHeaderProps {
  readonly route: RecordRoute
  readonly path: string
  readonly level: number
}

function RecordHeader({ route: { collection, ids }, path, level }: RecordHeaderProps) {
  const { data } = useRecord(collection, ids)
  const name = plainTitle(collection, ids.at(-1))
  const title = useRecordTitle(collection, data?.record) ?? name
  const neighbors = useNeighbors(path)
  const { drawerPosition, nextRecord, openPage, previousRecord } = text().record
  const subtitle = neighbors && level === 1 ? `${name} · ${drawerPosition(neighbors.position, neighbors.count)}` : name
  return (
    <Header title={title} subtitle={subtitle} level={level}>
      {neighbors && level === 1 && (
        <>
          <Tool icon="up" label={previousRecord} onClick={neighbors.previous} />
          <Tool icon="down" label={nextRecord} onClick={neighbors.next} />
        </>
      )}
      <ActionIcon
        component="a"
        variant="subtle"
        color="gray"
        size={30}
        href={`#${path}`}
        aria-label={openPage}
        title={openPage}
        onClick={follow(path)}
      >
        <Icon name="open" size={16} />
      </ActionIcon>
    </Header>
  )
}

interface ToolProps {
  readonly icon: 'back' | 'up' | 'down'
  readonly label: string
  readonly onClick: (() => void) | undefined
}

function Tool({ icon, label, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      aria-label={label}
      title={label}
      // A disabled button would lose the focus.
      aria-disabled={onClick === undefined}
      {...(onClick === undefined && { 'data-disabled': true })}
      onClick={() => onClick?.()}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  )
}

function RecordPanel({ route: { collection, ids } }: { readonly route: RecordRoute }) {
  const query = useRecord(collection, ids)
  if (query.error && !query.data) return <ProblemAlert error={query.error} onRetry={() => query.refetch()} />
  return (
    <Stack gap="md">
      <RelatedLinks collection={collection} ids={ids} />
      <RecordDetails
        collection={collection}
        writeCollection={writeCollectionOf(collection)}
        ids={ids}
        loaded={query.data}
      />
    </Stack>
  )
}
