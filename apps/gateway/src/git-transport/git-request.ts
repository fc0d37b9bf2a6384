import { gitServices } from '@moothall/contracts';
import type { GitTarget } from '../git-access/git-access';

export interface GitRequest extends GitTarget {
  phase: 'advertise' | 'rpc';
}

const pattern =
  /^\/(?<path>[^?]+?)(?<wiki>\.wiki)?\.git\/(?:(?<advertise>info\/refs)|(?<rpc>git-upload-pack|git-receive-pack))$/;

/** Parses `/<path>.git/info/refs?service=…` and `/<path>.git/git-…-pack`. @returns undefined for anything else */
export function parseGitRequest(method: string, url: string): GitRequest | undefined {
  const [address = '', query = ''] = url.split('?', 2);
  const groups = pattern.exec(address)?.groups;
  if (!groups) return undefined;
  const phase = groups.advertise ? 'advertise' : 'rpc';
  if (method !== (phase === 'advertise' ? 'GET' : 'POST')) return undefined;
  const named = groups.rpc ?? new URLSearchParams(query).get('service');
  const service = gitServices.find((one) => one === named);
  const path = decode(groups.path ?? '');
  if (!service || path === undefined) return undefined;
  return { path, repository: groups.wiki ? 'wiki' : 'project', service, phase };
}

const withoutSuffix = /\/(?<last>[^/]+)\/info\/refs$/;

/**
 * `git clone http://host/group/project` starts here: git follows the redirect to `project.git`, and uses that for all
 * further requests. The same for every path, so that it does not reveal which projects exist.
 * @returns the target, relative to the requested URL; undefined if no redirect is needed
 */
export function addressWithSuffix(method: string, url: string): string | undefined {
  const [address = '', query = ''] = url.split('?', 2);
  const last = withoutSuffix.exec(address)?.groups?.last;
  const service = new URLSearchParams(query).get('service');
  if (method !== 'GET' || !last || last.endsWith('.git') || !gitServices.some((one) => one === service))
    return undefined;
  return `../../${last}.git/info/refs?service=${service}`;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
