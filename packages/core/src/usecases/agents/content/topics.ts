import { topicSchema } from '../../../domain/agent/content.ts'
import { isKind, type ResourceOf } from '../../../domain/agent/tree.ts'
import { checked } from '../../shared/checked.ts'
import { namedResources } from './named-resources.ts'

/** Topics of the knowledge base: active, without actions and example queries unless said otherwise (AG30). */
export const topics = namedResources<ResourceOf<'topics'>>({
  kind: 'topics',
  noun: 'topic',
  idPrefix: 'TOPIC',
  defaults: { actions: '', exampleQueries: [], isActive: true },
  notFound: 'TOPIC_NOT_FOUND',
  nameTaken: 'KNOWLEDGE_BASE_TOPIC_ALREADY_EXISTS',
  is: isKind('topics'),
  make: (id, value) => ({ kind: 'topics', id, value: checked(topicSchema, value) }),
})
