interface File {
  file_name: string;
  file_path: string;
  size: number;
  encoding: string;
  content_sha256: string;
  ref: string;
  blob_id: string;
  commit_id: string;
  last_commit_id: string;
  execute_filemode: boolean;
}

/** The file without its content, as headers for HEAD requests. See docs/api/repository.md#9. */
export function fileHeaders(file: File): Record<string, string> {
  return {
    'x-gitlab-file-name': headerText(file.file_name),
    'x-gitlab-file-path': headerText(file.file_path),
    'x-gitlab-size': String(file.size),
    'x-gitlab-encoding': file.encoding,
    'x-gitlab-content-sha256': file.content_sha256,
    'x-gitlab-ref': headerText(file.ref),
    'x-gitlab-blob-id': file.blob_id,
    'x-gitlab-commit-id': file.commit_id,
    'x-gitlab-last-commit-id': file.last_commit_id,
    'x-gitlab-execute-filemode': String(file.execute_filemode),
  };
}

/** Headers must be ASCII; other characters are percent-encoded, as in URLs. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
