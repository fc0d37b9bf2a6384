import { readWebAddress } from '@moothall/contracts';
import { GitError } from '../process/errors';

/** How git reaches other servers: settings and environment of its process. */
export interface RemoteRoute {
  config: Record<string, string>;
  env: Record<string, string>;
  /** For ssh, with the placeholders %h and %p. */
  sshProxyCommand?: string;
}

/** Files with the key and the known hosts of ssh. */
export interface SshFiles {
  key: string;
  knownHosts: string;
  /** The server is known: it must present a stored key. */
  isKnown: boolean;
}

/** A URL without secrets, and the settings that git needs to use it. */
export interface RemoteAddress {
  url: string;
  config: Record<string, string>;
  env: Record<string, string>;
}

const remoteSchemes = ['http', 'https', 'git', 'ssh'];

/** @throws url_refused for an invalid URL, or one that git cannot use */
export function parseRemote(text: string): URL {
  const url = readWebAddress(text, remoteSchemes);
  if (!url) throw new GitError('url_refused');
  // A host like `-oProxyCommand=…` would be an option of the ssh program, and a shell parses it as well.
  if (!/^[\w.:[\]-]+$/.test(url.hostname) || /^-/.test(url.hostname)) throw new GitError('url_refused');
  if (!/^[\w.~%@+-]*$/.test(url.username) || /^(-|%2d)/i.test(url.username)) throw new GitError('url_refused');
  return url;
}

/** Name and password are passed to git by environment: URLs show in process lists and error messages. */
export function withoutCredentials(url: URL, route?: RemoteRoute, ssh?: SshFiles): RemoteAddress {
  const config: Record<string, string> = {
    'http.followRedirects': route ? 'initial' : 'false',
    'core.sshCommand': sshCommand(route, ssh),
    ...route?.config,
  };
  const env = route?.env ?? {};
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || (url.username === '' && url.password === '')) return { url: url.href, config, env };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  // A redirect would send the header to another server.
  config['http.followRedirects'] = 'false';
  config['http.extraHeader'] = `Authorization: Basic ${Buffer.from(pair).toString('base64')}`;
  return { url: bare.href, config, env };
}

function sshCommand(route?: RemoteRoute, files?: SshFiles): string {
  // accept-new would accept a key of another type from a known server, and so a man in the middle.
  const checking = files?.isKnown ? 'yes' : 'accept-new';
  const options = ['-F /dev/null', '-oBatchMode=yes', '-oConnectTimeout=20', '-oUpdateHostKeys=no'];
  options.push(`-oStrictHostKeyChecking=${checking}`, '-oGlobalKnownHostsFile=/dev/null', '-oHashKnownHosts=no');
  if (files) options.push(`-i '${files.key}'`, '-oIdentitiesOnly=yes');
  options.push(`-oUserKnownHostsFile='${files?.knownHosts ?? '/dev/null'}'`);
  if (route?.sshProxyCommand) options.push(`-oProxyCommand='${route.sshProxyCommand}'`);
  return `ssh ${options.join(' ')}`;
}

/** Git's error message in plain words for the user who entered the URL. */
export function explainRemote(detail: string): string {
  if (/HTTP code 403 from proxy|CONNECT tunnel failed, response 403/.test(detail))
    return 'requests to the local network are not allowed';
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/.test(detail))
    return 'the other server shows another host key than the known one';
  const reason = /^(?:fatal|remote|error): (.+)$/m.exec(detail)?.[1] ?? detail.trim().split('\n')[0] ?? '';
  return reason.slice(0, 300) || 'the other server could not be reached';
}
