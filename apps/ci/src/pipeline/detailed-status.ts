import type { getPipeline, OutputOf, PipelineStatus } from '@moothall/contracts';

const wording: Record<PipelineStatus, { text: string; label: string }> = {
  created: { text: 'created', label: 'created' },
  waiting_for_resource: { text: 'waiting', label: 'waiting for resource' },
  preparing: { text: 'preparing', label: 'preparing' },
  pending: { text: 'pending', label: 'pending' },
  running: { text: 'running', label: 'running' },
  success: { text: 'passed', label: 'passed' },
  failed: { text: 'failed', label: 'failed' },
  canceled: { text: 'canceled', label: 'canceled' },
  skipped: { text: 'skipped', label: 'skipped' },
  manual: { text: 'blocked', label: 'waiting for manual action' },
  scheduled: { text: 'scheduled', label: 'waiting for delayed job' },
};

/** The display of a state in browsers; v4 clients pass it on. */
export function detailedStatus(status: PipelineStatus, path: string): OutputOf<typeof getPipeline>['detailed_status'] {
  const { text, label } = wording[status];
  return {
    icon: `status_${status}`,
    text,
    label,
    group: status.replaceAll('_', '-'),
    tooltip: label,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  };
}
