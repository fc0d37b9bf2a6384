/** The ref in the target project for the head of a merge request; also the ref of its pipelines. */
export const mergeRequestRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** The merge request of a ref; undefined for branches and tags. */
export function mergeRequestIidOf(ref: string): number | undefined {
  const match = /^refs\/merge-requests\/(\d{1,15})\/head$/.exec(ref);
  return match ? Number(match[1]) : undefined;
}
