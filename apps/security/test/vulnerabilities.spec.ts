import {
  Access,
  commonErrors,
  confirmVulnerability,
  dismissVulnerability,
  getVulnerability,
  listDashboardVulnerabilities,
  listGroupVulnerabilities,
  resolveVulnerability,
  revertVulnerability,
  userDeleted,
  vulnerabilityErrors,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, groupNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { Vulnerabilities } from '../src/vulnerability/vulnerability.repository';
import { containerReport, sastReport } from './reports';
import { startSecurityService } from './security-under-test';

const moves = [confirmVulnerability, dismissVulnerability, resolveVulnerability, revertVulnerability] as const;

describe('vulnerabilities', () => {
  const security = shareBetweenTests(startSecurityService);

  async function withVulnerability(over: object = {}) {
    const { bed } = security;
    const project = bed.project(over);
    await bed.ingest(project, sastReport([{ file: 'a.js', line: 1 }]));
    const [found] = await bed.list(project);
    return { bed, project, vulnerability_id: found!.id };
  }

  it('change from any state to any other, with user and time', async () => {
    const { bed, vulnerability_id } = await withVulnerability();
    const [ada, ben] = [callerNamed('ada'), callerNamed('ben')];
    const as = (caller: typeof ada) => contextOf({ caller });
    const nobody = {
      confirmed_by_id: null,
      confirmed_at: null,
      dismissed_by_id: null,
      dismissed_at: null,
      resolved_by_id: null,
      resolved_at: null,
    };
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const move = (operation: (typeof moves)[number], caller = ada) =>
      bed.call(operation, { vulnerability_id }, as(caller));
    expect(await move(confirmVulnerability)).toMatchObject({
      ...nobody,
      state: 'confirmed',
      confirmed_by_id: ada.id,
      confirmed_at: time,
      updated_by_id: ada.id,
    });
    expect(await move(dismissVulnerability, ben)).toMatchObject({
      ...nobody,
      state: 'dismissed',
      dismissed_by_id: ben.id,
      dismissed_at: time,
    });
    expect(await move(resolveVulnerability)).toMatchObject({
      ...nobody,
      state: 'resolved',
      resolved_by_id: ada.id,
      resolved_at: time,
    });
    expect(await move(revertVulnerability)).toMatchObject({ ...nobody, state: 'detected', updated_by_id: ada.id });
    expect(await bed.call(getVulnerability, { vulnerability_id }, as(ben))).toMatchObject({ state: 'detected' });
  });

  it('that already have a state do not change', async () => {
    const { bed, vulnerability_id } = await withVulnerability();
    const first = await bed.call(confirmVulnerability, { vulnerability_id }, contextOf({ caller: callerNamed('ada') }));
    const again = await bed.call(confirmVulnerability, { vulnerability_id }, contextOf({ caller: callerNamed('ben') }));
    expect(again).toEqual(first);
  });

  it('are changed by one of many concurrent requests', async () => {
    const { under } = security;
    const { vulnerability_id } = await withVulnerability();
    const vulnerabilities = under.running.app.get(Vulnerabilities, { strict: false });
    const userIds = Array.from({ length: 10 }, uniqueId);
    const moved = await Promise.all(
      userIds.map((userId) => vulnerabilities.move(vulnerability_id, 'resolved', userId)),
    );
    const winners = moved.flatMap((one) => (one ? [one.resolvedById] : []));
    expect(winners).toHaveLength(1);
    expect((await vulnerabilities.get(vulnerability_id)).resolvedById).toBe(winners[0]);
    // The fields of the state are those of the last change only.
    const states = ['confirmed', 'dismissed', 'detected', 'confirmed'] as const;
    await Promise.all(states.map((state, at) => vulnerabilities.move(vulnerability_id, state, userIds[at]!)));
    const { state, confirmedById, dismissedById, resolvedById } = await vulnerabilities.get(vulnerability_id);
    const said = { confirmed: confirmedById, dismissed: dismissedById, resolved: resolvedById };
    expect(Object.entries(said).flatMap(([name, by]) => (by === null ? [] : [name]))).toEqual(
      state === 'detected' ? [] : [state],
    );
  });

  it.each([
    ['nobody', 'private', Access.None, vulnerabilityErrors.notFound.code],
    ['nobody', 'internal', Access.None, commonErrors.forbidden.code],
    ['nobody', 'public', Access.None, commonErrors.forbidden.code],
    ['a guest', 'private', Access.Guest, commonErrors.forbidden.code],
    ['a reporter', 'public', Access.Reporter, commonErrors.forbidden.code],
    ['a developer', 'private', Access.Developer, undefined],
    ['a maintainer', 'private', Access.Maintainer, undefined],
    ['an owner', 'public', Access.Owner, undefined],
  ] as const)('are seen and moved by %s of a %s project: level %i', async (_, visibility, accessLevel, code) => {
    const { bed, project, vulnerability_id } = await withVulnerability({ visibility });
    bed.setProject(project, { visibility, accessLevel });
    const as = contextOf({ caller: callerNamed('ada') });
    for (const operation of [getVulnerability, ...moves]) {
      const asked = bed.call(operation, { vulnerability_id }, as);
      if (code) await expect(asked).rejects.toMatchObject({ code });
      else expect((await asked).id).toBe(vulnerability_id);
    }
  });

  it('that are not there are not found', async () => {
    const { bed } = security;
    const as = contextOf({ caller: callerNamed('ada') });
    for (const operation of [getVulnerability, ...moves])
      await expect(bed.call(operation, { vulnerability_id: 2 ** 40 }, as)).rejects.toMatchObject({
        code: vulnerabilityErrors.notFound.code,
      });
  });

  it('that a deleted user reported and moved are those of the ghost user', async () => {
    const { bed, project } = await withVulnerability();
    const gone = callerNamed('gone', { id: uniqueId() });
    await bed.ingest(project, containerReport(), {}, gone);
    const [{ id: vulnerability_id } = { id: 0 }] = await bed.list(project);
    await bed.call(confirmVulnerability, { vulnerability_id }, contextOf({ caller: gone }));
    const ghost_user_id = uniqueId();
    const people = { author_id: ghost_user_id, confirmed_by_id: ghost_user_id, updated_by_id: ghost_user_id };
    const data = { user_id: gone.id, username: 'gone', hard_delete: false, ghost_user_id };
    await security.under.emit(userDeleted, data);
    await eventually(async () => (await bed.list(project))[0]?.author_id === ghost_user_id, 'the ghost user');
    const as = contextOf({ caller: callerNamed('ada') });
    expect(await bed.call(getVulnerability, { vulnerability_id }, as)).toMatchObject(people);
    expect((await bed.list(project))[1]?.author_id).not.toBe(ghost_user_id);
  });

  it('of archived projects are visible and cannot be changed', async () => {
    const { bed, project, vulnerability_id } = await withVulnerability();
    bed.setProject(project, { isArchived: true });
    const as = contextOf({ caller: callerNamed('ada') });
    expect((await bed.call(getVulnerability, { vulnerability_id }, as)).state).toBe('detected');
    await expect(bed.call(resolveVulnerability, { vulnerability_id }, as)).rejects.toMatchObject({
      code: commonErrors.forbidden.code,
    });
  });

  it('are listed by state, severity and kind', async () => {
    const { bed, project } = await withVulnerability();
    await bed.ingest(project, containerReport());
    const titles = async (given: object) => (await bed.list(project, given)).map(({ title }) => title);
    const [image, code] = ['CVE-2017-16997 in glibc', 'SQL injection'];
    expect(await titles({})).toEqual([image, code]);
    expect(await titles({ severity: ['critical', 'low'] })).toEqual([image]);
    expect(await titles({ report_type: ['sast'] })).toEqual([code]);
    expect(await titles({ state: ['confirmed'] })).toEqual([]);
    const [, second] = await bed.list(project);
    await bed.call(confirmVulnerability, { vulnerability_id: second!.id }, contextOf({ caller: callerNamed('ada') }));
    expect(await titles({ state: ['confirmed'] })).toEqual([code]);
    expect(await titles({ state: ['confirmed', 'detected'] })).toEqual([image, code]);
  });

  it('of a group are those of the projects that the caller sees', async () => {
    const groupId = uniqueId();
    const [one, below, closed] = [
      await withVulnerability({ groupIds: [groupId] }),
      await withVulnerability({ groupIds: [uniqueId(), groupId] }),
      await withVulnerability({ groupIds: [groupId] }),
    ];
    const { bed } = security;
    bed.setProject(closed!.project, { accessLevel: Access.Reporter });
    const as = contextOf({ caller: callerNamed('ada'), group: groupNamed('group', { id: groupId }) });
    const { items } = await bed.call(listGroupVulnerabilities, { id: String(groupId) }, as);
    expect(items.map(({ project }) => project.id)).toEqual([below!.project.id, one!.project.id]);
    const empty = contextOf({ caller: callerNamed('ada'), group: groupNamed('empty') });
    expect((await bed.call(listGroupVulnerabilities, { id: '1' }, empty)).items).toEqual([]);
  });

  it('of an empty dashboard are an empty list', async () => {
    const as = contextOf({ caller: callerNamed('ada') });
    expect((await security.bed.call(listDashboardVulnerabilities, {}, as)).items).toEqual([]);
  });
});
