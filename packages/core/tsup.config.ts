import { packageBuild } from '../../scripts/package-build.ts'

export default packageBuild(['src/index.ts', 'src/testing/index.ts'])
