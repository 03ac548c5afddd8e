/** The navigation: the nouns of each api, and the views of the whole service. */
import { Badge, Group, NavLink, ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { text } from '../language/language.ts'
import { viewIdOf } from '../model/list/query.ts'
import { homePath, operationsPath, type Route, schemaPath, stepsTo, usagePath } from '../model/route.ts'
import { type Api, type Collection, rootsOf } from '../model/service/service.ts'
import { foldedText } from '../model/title.ts'
import { PaletteLauncher } from '../palette/palette-launcher.tsx'
import { SavedViewLinks } from '../saved-view/saved-view-links.tsx'
import { useConsole } from '../state/console-context.ts'
import { readPreference, writePreference } from '../state/preference.ts'
import { useAddress } from '../state/router.ts'
import { Icon, type IconName } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'
import { FavoriteLinks } from './favorite-links.tsx'

/** A service with more nouns has a field to find them. */
const maxUnfiltered = 12

export function Navigation({ route, docs }: { readonly route: Route; readonly docs: string | undefined }) {
  const { service } = useConsole()
  const [wanted, setWanted] = useState('')
  const count = service.apis.flatMap(rootsOf).length
  const currentCollection = stepsTo(route)[0]?.collection
  return (
    <ScrollArea p="xs" type="hover" scrollbarSize={8}>
      <PaletteLauncher docs={docs} />
      <nav aria-label={text().shell.lists}>
        <ViewLink path={homePath} icon="home" label={text().common.overview} isActive={route.kind === 'overview'} />
        <FavoriteLinks />
        {count > maxUnfiltered && (
          <TextInput
            size="xs"
            my="xs"
            leftSection={<Icon name="search" size={14} />}
            placeholder={text().shell.findList}
            aria-label={text().shell.findList}
            value={wanted}
            onChange={({ currentTarget: { value } }) => setWanted(value)}
          />
        )}
        {service.apis.map((api) => (
          <ApiNouns
            key={`${api.title} ${api.version} ${api.base}`}
            api={api}
            canFold={service.apis.length > 1 && wanted === ''}
            collections={rootsOf(api).filter(({ plural }) => foldedText(plural).includes(foldedText(wanted)))}
            currentCollection={currentCollection}
          />
        ))}
        <div className="navigation-views">
          {service.apis.some(({ actions }) => actions.length > 0) && (
            <ViewLink
              path={operationsPath}
              icon="run"
              label={text().common.operations}
              isActive={route.kind === 'operations'}
            />
          )}
          <ViewLink path={usagePath} icon="usage" label={text().common.usage} isActive={route.kind === 'usage'} />
          <ViewLink path={schemaPath} icon="schema" label={text().common.schema} isActive={route.kind === 'schema'} />
          {docs !== undefined && <NavLink href={docs} label={text().shell.docs} leftSection={<Icon name="docs" />} />}
        </div>
      </nav>
    </ScrollArea>
  )
}

interface ApiNounsProps {
  readonly api: Api
  readonly collections: readonly Collection[]
  readonly currentCollection: Collection | undefined
  readonly canFold: boolean
}

function ApiNouns({ api, collections, currentCollection, canFold }: ApiNounsProps) {
  const isView = viewIdOf(useAddress().query) !== undefined
  const id = useId()
  const key = `folded ${api.title}`
  const [isFolded, setFolded] = useState(() => readPreference(key, false))
  const [, name = '', version] = /^(.*?)(?: (v\d+))?$/.exec(api.title) ?? []
  const isOld = api.operations.length > 0 && api.operations.every(({ isDeprecated }) => isDeprecated)
  if (collections.length === 0) return null
  const heading: ReactNode = (
    <>
      <Text span size="xs" c="dimmed" fw={600} truncate>
        {name}
      </Text>
      {version !== undefined && (
        <Badge size="xs" variant="default" radius="sm" tt="none">
          {version}
        </Badge>
      )}
      {isOld && (
        <Badge size="xs" variant="light" color="orange" radius="sm" tt="none">
          {text().usage.deprecated}
        </Badge>
      )}
    </>
  )
  const isShown = !canFold || !isFolded
  return (
    <section aria-label={api.title} className="navigation-api">
      {canFold ? (
        <UnstyledButton
          className="navigation-heading"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => {
            writePreference(key, !isFolded)
            setFolded(!isFolded)
          }}
        >
          {heading}
          <Icon name={isShown ? 'up' : 'down'} size={12} />
        </UnstyledButton>
      ) : (
        <Group gap={6} className="navigation-heading">
          {heading}
        </Group>
      )}
      <div id={id} hidden={!isShown}>
        {collections.map((collection) => (
          <Fragment key={collection.key}>
            <NavLink
              href={`#${collection.path}`}
              onClick={follow(collection.path)}
              label={collection.plural}
              leftSection={
                <span className="noun-mark" aria-hidden="true">
                  {collection.plural.charAt(0)}
                </span>
              }
              active={collection === currentCollection && !isView}
              aria-current={collection === currentCollection && !isView ? 'page' : undefined}
            />
            <SavedViewLinks collection={collection} />
          </Fragment>
        ))}
      </div>
    </section>
  )
}

interface ViewLinkProps {
  readonly path: string
  readonly icon: IconName
  readonly label: string
  readonly isActive: boolean
}

function ViewLink({ path, icon, label, isActive }: ViewLinkProps) {
  return (
    <NavLink
      href={`#${path}`}
      onClick={follow(path)}
      label={label}
      leftSection={<Icon name={icon} />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
    />
  )
}
