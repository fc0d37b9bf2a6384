import { type ContextOf, commonErrors, groupBoards, type ParsedOf, pageOf, projectBoards } from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller, Injectable } from '@nestjs/common';
import { requireWritable } from '../../parent/require-writable';
import { Boards } from '../board.repository';
import { placeOf, withList, withMoved, withoutList } from '../board-lists';
import { type BoardPlace, placeOfGroup, placeOfProject } from './board-place';
import { BoardSubjects } from './board-subjects';
import { BoardViews } from './board-views';

type Input<K extends keyof typeof projectBoards> = ParsedOf<(typeof projectBoards)[K]>;

/** Boards of projects and of groups share these operations. See docs/api/boards.md#1. */
@Injectable()
abstract class BoardController<Context> {
  constructor(
    private readonly boards: Boards,
    private readonly subjects: BoardSubjects,
    private readonly views: BoardViews,
  ) {}

  protected abstract placeOf(context: Context): BoardPlace;

  async list(context: Context, input: Input<'list'>) {
    const place = this.placeOf(context);
    const page = await this.boards.page(place.owner, input);
    return { ...page, items: await this.views.view(place, page.items) };
  }

  async get(context: Context, input: Input<'get'>) {
    const place = this.placeOf(context);
    return this.views.viewOne(place, await this.boards.get(place.owner, input.board_id));
  }

  async create(context: Context, input: Input<'create'>) {
    const place = this.placeToWrite(context);
    const given = { ...(await this.subjects.ofBoard(place, input)), name: input.name.trim() };
    return this.views.viewOne(place, await this.boards.add(place.owner, given));
  }

  async update(context: Context, input: Input<'update'>) {
    const place = this.placeToWrite(context);
    const change = await this.subjects.ofBoard(place, input);
    return this.views.viewOne(place, await this.boards.change(place.owner, input.board_id, change));
  }

  async remove(context: Context, input: Input<'remove'>): Promise<void> {
    await this.boards.remove(this.placeToWrite(context).owner, input.board_id);
  }

  async listLists(context: Context, input: Input<'listLists'>) {
    const board = await this.boards.get(this.placeOf(context).owner, input.board_id);
    return pageOf(await this.views.viewLists(board), input);
  }

  async getList(context: Context, input: Input<'getList'>) {
    const board = await this.boards.get(this.placeOf(context).owner, input.board_id);
    return this.viewList(board, input.list_id);
  }

  async createList(context: Context, input: Input<'createList'>) {
    const place = this.placeToWrite(context);
    const { owner } = place;
    const { _id } = await this.boards.get(owner, input.board_id);
    const subject = await this.subjects.ofList(place, input);
    const id = await this.boards.newListId();
    return this.viewList(await this.boards.changeLists(owner, _id, (lists) => withList(lists, id, subject)), id);
  }

  async moveList(context: Context, { board_id, list_id, position }: Input<'moveList'>) {
    const { owner } = this.placeToWrite(context);
    const board = await this.boards.changeLists(owner, board_id, (lists) => withMoved(lists, list_id, position));
    return this.viewList(board, list_id);
  }

  async removeList(context: Context, { board_id, list_id }: Input<'removeList'>): Promise<void> {
    const { owner } = this.placeToWrite(context);
    await this.boards.changeLists(owner, board_id, (lists) => withoutList(lists, list_id));
  }

  private placeToWrite(context: Context): BoardPlace {
    const place = this.placeOf(context);
    if (place.project) requireWritable(place.project);
    return place;
  }

  private async viewList(board: Parameters<BoardViews['viewLists']>[0], id: number) {
    const view = (await this.views.viewLists(board))[placeOf(board.lists, id)];
    if (!view) throw commonErrors.notFound();
    return view;
  }
}

@Controller()
@HandlesEach(projectBoards)
export class ProjectBoards extends BoardController<ContextOf<typeof projectBoards.list>> {
  protected placeOf({ project }: ContextOf<typeof projectBoards.list>): BoardPlace {
    return placeOfProject(project);
  }
}

@Controller()
@HandlesEach(groupBoards)
export class GroupBoards extends BoardController<ContextOf<typeof groupBoards.list>> {
  protected placeOf({ group }: ContextOf<typeof groupBoards.list>): BoardPlace {
    return placeOfGroup(group);
  }
}
