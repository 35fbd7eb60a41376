from augury.arrays import Array, FloatArray, IntegerArray

def integer_ranges(
    x: IntegerArray,
    lo: IntegerArray,
    hi: IntegerArray,
    out: IntegerArray | None,
    start: int,
    stop: int,
    /,
) -> None: ...
def mark_present(codes: IntegerArray, seen: IntegerArray, /) -> None: ...
def shift_integers(
    x: IntegerArray,
    lo: IntegerArray,
    widths: IntegerArray,
    out: IntegerArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def count_class_values(
    codes: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    offsets: IntegerArray,
    n_classes: int,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_log_factors(
    codes: IntegerArray,
    table: FloatArray,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def count_pairs(
    codes: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    n_states: IntegerArray,
    n_classes: int,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_pair_factors(
    codes: IntegerArray,
    column: int,
    block: FloatArray,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_pair_shares_without(
    codes: IntegerArray,
    column: int,
    y: IntegerArray,
    weight: FloatArray,
    counts: FloatArray,
    totals: FloatArray,
    shares: FloatArray,
    alone: FloatArray,
    added: float,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def log_mean_over_parents(
    codes: IntegerArray,
    blocks: FloatArray,
    parents: FloatArray,
    counted: IntegerArray,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_log_shares(
    codes: IntegerArray,
    blocks: FloatArray,
    alone: FloatArray,
    has_parents: IntegerArray,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_acll(
    counts: FloatArray,
    starts: IntegerArray,
    family: IntegerArray,
    present: IntegerArray,
    pseudo_count: float,
    pseudo_count_of_totals: float,
    own_weight: float,
    other_weight: float,
    scores: FloatArray,
    known: FloatArray,
    /,
) -> None: ...
def fill_cells(
    codes: IntegerArray,
    n_states: IntegerArray,
    others: IntegerArray,
    own: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    counts: FloatArray,
    starts: IntegerArray,
    family: IntegerArray,
    /,
) -> tuple[int, int]: ...
def pair_information(
    table: FloatArray, n_states: IntegerArray, negligible: float, out: FloatArray, /
) -> None: ...
def log_likelihoods(tables: FloatArray, out: FloatArray, /) -> None: ...
def add_to_slots(
    codes: IntegerArray,
    values: FloatArray,
    offsets: IntegerArray,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def logistic_loss(
    codes: IntegerArray,
    offsets: IntegerArray,
    numbers: FloatArray,
    table: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    reference: bool,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> float: ...
def divide_by_class(
    values: FloatArray, y: IntegerArray, out: FloatArray, ends: IntegerArray, /
) -> None: ...
def x_ln_x_table(out: FloatArray, /) -> None: ...
def mdl_cuts(
    values: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    n_classes: int,
    memo: FloatArray | None,
    out: FloatArray,
    /,
) -> int: ...
def count_bins(
    values: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    edges: FloatArray,
    starts: IntegerArray,
    by_bits: bool,
    low: float,
    scale: float,
    counts: FloatArray,
    ranges: FloatArray,
    missing: FloatArray,
    /,
) -> None: ...
def mdl_cuts_by_class(
    values: FloatArray,
    starts: IntegerArray,
    splitters: FloatArray,
    memo: FloatArray,
    out: FloatArray,
    /,
) -> int: ...
def state_gains(
    codes: IntegerArray,
    offsets: IntegerArray,
    y: IntegerArray,
    index: IntegerArray,
    weight: FloatArray | None,
    memo: FloatArray | None,
    n_classes: int,
    whole: float,
    minimum: float,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def threshold_gains(
    ranks: IntegerArray,
    offsets: IntegerArray,
    values: FloatArray,
    min_difference: FloatArray,
    y: IntegerArray,
    index: IntegerArray,
    weight: FloatArray | None,
    memo: FloatArray | None,
    n_classes: int,
    whole: float,
    minimum: float,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def divide_rows(
    codes: IntegerArray,
    column: int,
    n_states: int,
    cut: int,
    y: IntegerArray,
    index: IntegerArray,
    weight: FloatArray | None,
    table: FloatArray,
    ends: IntegerArray,
    /,
) -> None: ...
def expected_errors(table: FloatArray, confidence: float, z: float, out: FloatArray, /) -> None: ...
def grow_random_tree(
    codes: IntegerArray,
    is_label: IntegerArray,
    y: IntegerArray,
    rows: IntegerArray,
    weight: FloatArray,
    outside: IntegerArray,
    grid: FloatArray,
    prior: FloatArray,
    seed: int,
    max_features: int,
    n_cuts: int,
    min_leaf: float,
    nodes: IntegerArray,
    labels: IntegerArray,
    path: FloatArray,
    leaf: IntegerArray,
    importance: FloatArray,
    /,
) -> tuple[int, int]: ...
def smooth_leaves(
    nodes: IntegerArray,
    labels: IntegerArray,
    weight: FloatArray,
    prior: FloatArray,
    s: float,
    values: Array,
    classes: IntegerArray | None,
    rest: Array | None,
    /,
) -> None: ...
def add_leaf_shares(
    codes: IntegerArray,
    nodes: IntegerArray,
    roots: IntegerArray,
    values: Array,
    classes: IntegerArray | None,
    rest: Array | None,
    prior: FloatArray,
    share: FloatArray | None,
    out: FloatArray,
    start: int,
    stop: int,
    /,
) -> None: ...
def scan_rows(
    text: IntegerArray,
    delimiter: int,
    start: int,
    line: int,
    max_field: int,
    lines: IntegerArray,
    marks: IntegerArray,
    n_words: IntegerArray,
    /,
) -> tuple[int, int]: ...
def scan_kinds(
    text: IntegerArray,
    delimiter: int,
    is_last: bool,
    start: int,
    line: int,
    max_field: int,
    words: IntegerArray,
    names: IntegerArray,
    name_ends: IntegerArray,
    marks: IntegerArray,
    counts: IntegerArray,
    firsts: IntegerArray,
    odd: IntegerArray,
    /,
) -> tuple[int, int, int, int]: ...
