//! Changes of the cost-centre stack that compiled code leaves to the library, and the costs of objects
//! allocated by calls.

use crate::base::Outcome;
use crate::heap::Mutator;
use crate::heap::mutator::current::{known, stack_of, switch};
use crate::heap::mutator::window::watch;
use crate::host::Host;
use crate::identity::{Ccs, CostCentre, ccs, cost_centre};
use crate::os::output;
use crate::report::error_stack;

impl Host {
    /// Gives a mutator the rows that it books to.
    pub(crate) fn lend_costs(&mut self, mutator: &mut Mutator) {
        let rows = self.profilers.costs.rows.of(mutator);
        mutator.rows = rows.rows();
        mutator.window.costs = rows.distance();
        mutator.watch(watch::UNCOUNTED, !rows.is_counting());
    }

    /// Gives each stack costs of its own from now on, in the heap and in this mutator, if it is one. Of several mutators,
    /// the others begin when they enter a centre themselves: until then their stack is MAIN.
    pub(crate) fn count_costs(&mut self, mutator: Option<*mut Mutator>) -> Outcome<()> {
        let Some(mutator) = mutator else { return self.profilers.costs.rows.whole.count() };
        // SAFETY: the mutator is live, and only its own thread calls this.
        let mutator = unsafe { &mut *mutator };
        mutator.book();
        self.profilers.costs.rows.whole.count()?;
        self.profilers.costs.rows.of(mutator).count()?;
        self.lend_costs(mutator);
        Ok(())
    }

    /// As `count_costs`, at the beginning of each change of the stack.
    #[inline]
    fn count_costs_of(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let counts = unsafe { (*mutator).window.watch & watch::UNCOUNTED == 0 };
        if counts { Ok(()) } else { self.count_costs(Some(mutator)) }
    }

    /// Enters a centre: the stack with it pushed becomes current, and counts an entry. When there is no
    /// memory for that stack, the current one stays.
    ///
    /// # Safety
    /// `mutator` is live and this runtime's; `centre` is null or points to a cost centre, which stays as long as its
    /// module does.
    pub unsafe fn enter_centre(&mut self, mutator: *mut Mutator, centre: *mut CostCentre) -> Outcome<()> {
        self.count_costs_of(mutator)?;
        // SAFETY: the caller's promise.
        let (number, m) = unsafe { (cost_centre::register(centre)?, &mut *mutator) };
        let current = stack_of(m);
        let next = current.push(number).inspect_err(|_| self.profilers.costs.rows.whole.lost += 1)?;
        switch(m, next);
        // SAFETY: both are stacks of ours.
        if let Some(cost) = unsafe { m.cost_of(planted!(63, current, next)) } {
            cost.entries = cost.entries.wrapping_add(1);
        }
        Ok(())
    }

    /// Begins to evaluate a CAF: its costs are those of its own centre, whichever stack needs it.
    ///
    /// # Safety
    /// As for `enter_centre`.
    pub unsafe fn enter_caf(&mut self, mutator: *mut Mutator, centre: *mut CostCentre) -> Outcome<()> {
        self.count_costs_of(mutator)?;
        // SAFETY: the caller's promise.
        let (number, m) = unsafe { (cost_centre::register(centre)?, &mut *mutator) };
        let next = ccs::main().push(number).inspect_err(|_| self.profilers.costs.rows.whole.lost += 1)?;
        switch(m, next);
        Ok(())
    }

    /// Enters a function that was made in the stack `function`.
    pub(crate) fn enter_function(&mut self, mutator: *mut Mutator, function: *const Ccs) -> Outcome<()> {
        self.count_costs_of(mutator)?;
        let function = known(function)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let next = stack_of(m).call(function).inspect_err(|_| self.profilers.costs.rows.whole.lost += 1)?;
        switch(m, next);
        Ok(())
    }

    /// Makes a stack current that was current before, or that was pushed without being entered. In the second
    /// case stacks begin to be counted, if there is memory for it.
    pub(crate) fn leave_to(&mut self, mutator: *mut Mutator, to: *const Ccs) -> Outcome<()> {
        let to = known(to)?;
        if to.number != 0 && self.count_costs_of(mutator).is_err() {
            self.profilers.costs.rows.whole.lost += 1;
        }
        // SAFETY: as above.
        switch(unsafe { &mut *mutator }, to);
        Ok(())
    }

    /// Tells of an error of the program, with `-xc`: its kind, the current stack, and those of evaluations that wait.
    pub(crate) fn tell_error(&self, mutator: &Mutator, kind: &str, enclosing: &[*const Ccs]) -> Outcome<()> {
        for &stack in enclosing {
            known(stack)?;
        }
        if self.flags.cost.errors {
            let enclosing = || enclosing.iter().filter_map(|&stack| ccs::find(stack));
            output::write_standard_error(&mut |mut out| {
                error_stack::write_error(&mut out, kind, stack_of(mutator), enclosing())
            });
        }
        Ok(())
    }

    /// Books to the current stack the words that calls have allocated since `before`.
    pub(crate) fn book_since(&self, mutator: *mut Mutator, before: u64) {
        let bytes = (self.words_made_by_calls() - before) * 8;
        if bytes != 0 {
            // SAFETY: the mutator is live, and only its own thread calls this.
            unsafe { (*mutator).book_bytes(bytes) };
            self.tick_own(1, |c| &mut c.alloc_rts_ctr);
            self.tick_own(bytes, |c| &mut c.alloc_rts_tot);
        }
    }
}
