import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slownessOf } from './slowness.ts'

/** Begins with the files that say that they are slow: all others would wait for one that is begun last. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slownessOf(moduleId) !== null
    // A worker is kept for as long as the next file is of its project.
    return [...new Set(sorted.map(file => file.project))].flatMap(project => {
      const own = sorted.filter(file => file.project === project)
      return [...own.filter(isSlow), ...own.filter(file => !isSlow(file))]
    })
  }
}
