export { createFolderFiles, type FolderFilesOptions } from './folder.ts'
export { createS3Files, type S3Credentials, type S3FilesOptions } from './s3.ts'
